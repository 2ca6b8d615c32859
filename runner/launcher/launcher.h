/* What the parts of the launcher tell each other. */
#ifndef LAUNCHER_H
#define LAUNCHER_H

#include <stdbool.h>
#include <sys/types.h>

enum { max_paths = 96, max_names = 160, max_cgroups = 4 };

/* Descriptor on which each role speaks with whoever started it; no program ever sees it. */
enum { speak = 3 };

struct options {
	/* The user that the program becomes; -1 to stay who we are. */
	long uid;
	const char *cwd;
	/* Folders and files for Landlock; what is in neither list is out of reach. */
	const char *readable[max_paths + 1];
	const char *writable[max_paths + 1];
	/* Names of the only variables that the program gets. */
	const char *environment[max_names + 1];
	/* Control groups that the program and all it starts live in. */
	const char *cgroups[max_cgroups + 1];
	/* 0 where there is none. */
	long memory_mb, cpu_seconds, open_files, tasks;
	/* Port of loopback that leads to a proxy, in a network namespace of its own: the only thing to connect to. 0 where there is none. */
	long proxy_port;
	/* Where that proxy listens, outside. */
	const char *proxy_socket;
	bool landlock, seccomp, no_tcp, no_inet, no_unix, keep_privileges, wrapper, init;
	char **argv;
};

/* What kept a program from being started. */
struct failure {
	char step[16];
	int error;
};

/* What the launcher inside a wrapper tells the one outside. */
struct message {
	enum { opened, started, failed, ended } kind;
	struct failure failure;
	int status;
};

/* supervise.c */
int supervise(const struct options *options);
/* init.c */
int run_init(const struct options *options);
/* spawn.c: what the started process gets for its descriptors 0 to 2 and 3; -1 leaves one as it is. */
struct handed {
	int standard[3], speak;
};
/* Starts the program confined, or the wrapper as it is; true once it runs, else `failure` says at which step it ended. */
bool spawn(const struct options *options, const struct handed *handed, pid_t *pid, struct failure *failure);
/* relay.c: `theirs` are the ends of pipes for the program; the other ends are served from the start until all is written. */
bool open_relays(int theirs[3]);
void start_relays(const int theirs[3]);
void finish_output(void);
/* egress.c: inside, opens the port and hands it out; outside, hears a message and what was handed with it, or -1, and serves it. */
bool open_way_out(long port);
ssize_t hear(int line, struct message *message, int *handed);
bool serve_way_out(int handed, const char *socket_path);
/* descendants.c */
void signal_descendants(int signal);
void kill_descendants(long uid, pid_t pid, int *status);
/* memory.c: in bytes, looked at more closely when it seems over `limit`. */
long long memory_of_descendants(long long limit);
/* False where the kernel does not tell a process's children, so that memory cannot be watched. */
bool children_listed(void);
/* user.c */
bool become(long uid);
bool drop_bounding_set(void);
bool drop_capabilities(void);
/* landlock.c, seccomp.c: 0, or -1 with errno. */
int landlock_abi(void);
int confine_files(const struct options *options);
int filter_calls(const struct options *options);
bool seccomp_available(void);
/* probe.c */
int probe(int count, char **arguments);

#endif
