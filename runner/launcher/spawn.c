/* The step from a process of ours to the program. */
#define _GNU_SOURCE
#include "launcher.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

/* Of one file that a program writes. */
static const rlim_t max_file_bytes = 1l << 30;
/* Memory that runtimes reserve and never use, half a gigabyte for each thread of JavaScript in Node 24. */
static const rlim_t reserved_bytes = 8l << 30;

static const int niceness = 10;

extern char **environ;

/* A limit that we may not raise is tight enough as it is. */
static bool limit(int resource, rlim_t soft, rlim_t hard)
{
	struct rlimit now;
	if (getrlimit(resource, &now) != 0) return false;
	if (hard > now.rlim_max) hard = now.rlim_max;
	if (soft > hard) soft = hard;
	return setrlimit(resource, &(struct rlimit){ soft, hard }) == 0;
}

static bool set_limits(const struct options *options)
{
	rlim_t memory = (rlim_t)options->memory_mb << 20, cpu = options->cpu_seconds, files = options->open_files;
	bool held = limit(RLIMIT_CORE, 0, 0) && limit(RLIMIT_MSGQUEUE, 0, 0) && limit(RLIMIT_FSIZE, max_file_bytes, max_file_bytes);
	/* Stops what grows faster than the watch outside looks. */
	if (memory) held = held && limit(RLIMIT_DATA, memory + reserved_bytes, memory + reserved_bytes);
	/* The first bound is a signal that a program may catch, the second is its end. */
	if (cpu) held = held && limit(RLIMIT_CPU, cpu, cpu + 1);
	if (files) held = held && limit(RLIMIT_NOFILE, files, files);
	if (options->tasks) held = held && limit(RLIMIT_NPROC, options->tasks, options->tasks);
	return held;
}

static int open_in(const char *folder, const char *name)
{
	char path[4096];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	return open(path, O_WRONLY | O_CLOEXEC);
}

/*
 * The kernel moves a process by cgroup.procs only when all its processors have come to rest, which takes 10 ms and more; a
 * thread, which is all there is here, moves at once by the tasks that version 1 has.
 */
static bool enter_cgroups(const struct options *options)
{
	for (const char *const *folder = options->cgroups; *folder; folder++) {
		int file = open_in(*folder, "tasks");
		if (file < 0) file = open_in(*folder, "cgroup.procs");
		if (file < 0) return false;
		bool entered = write(file, "0", 1) == 1;
		close(file);
		if (!entered) return false;
	}
	return true;
}

static bool is_kept(const struct options *options, const char *variable)
{
	size_t length = strcspn(variable, "=");
	for (const char *const *name = options->environment; *name; name++) {
		if (strlen(*name) == length && !strncmp(*name, variable, length)) return true;
	}
	return false;
}

/* Wrappers add variables of their own. */
static void keep_environment(const struct options *options)
{
	char **kept = environ;
	for (char **variable = environ; *variable; variable++) {
		if (is_kept(options, *variable)) *kept++ = *variable;
	}
	*kept = NULL;
}

/* The steps in the order in which each is still allowed; answers the name of the one that failed, with errno. */
static const char *confine(const struct options *options)
{
	if (!set_limits(options)) return "limits";
	if (options->cwd && chdir(options->cwd) != 0) return "cwd";
	keep_environment(options);
	if (options->landlock && confine_files(options) != 0) return "landlock";
	if (options->seccomp && filter_calls(options) != 0) return "seccomp";
	return NULL;
}

/* Before the cgroups and the user can be left no more. */
static const char *settle(const struct options *options)
{
	if (!enter_cgroups(options)) return "cgroup";
	if (!options->keep_privileges && !drop_bounding_set()) return "capabilities";
	if (!become(options->uid)) return "uid";
	if (!options->keep_privileges && !drop_capabilities()) return "capabilities";
	if (!options->keep_privileges && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return "privileges";
	return NULL;
}

static void start(const struct options *options, int failures)
{
	sigset_t none;
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	/* The runner, and whoever watches the program, go first. */
	setpriority(PRIO_PROCESS, 0, niceness);
	const char *failed = settle(options);
	/* Whoever watches us is gone, so nobody would end us. Set late: a change of user takes it back. */
	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	if (!failed && !options->wrapper) failed = confine(options);
	if (!failed) {
		execvp(options->argv[0], options->argv);
		failed = "exec";
	}
	struct failure failure = { .error = errno };
	snprintf(failure.step, sizeof failure.step, "%s", failed);
	if (write(failures, &failure, sizeof failure) < 0) _exit(126);
	_exit(127);
}

static void take(const struct handed *handed)
{
	for (int standard = 0; standard < 3; standard++) {
		if (handed->standard[standard] >= 0) dup2(handed->standard[standard], standard);
	}
	if (handed->speak >= 0) dup2(handed->speak, speak);
}

bool spawn(const struct options *options, const struct handed *handed, pid_t *pid, struct failure *failure)
{
	/* Closes by itself when the program takes over. */
	int failures[2];
	*failure = (struct failure){ "fork", 0 };
	if (pipe2(failures, O_CLOEXEC) != 0 || (*pid = fork()) < 0) {
		failure->error = errno;
		return false;
	}
	if (*pid == 0) {
		take(handed);
		start(options, failures[1]);
	}
	close(failures[1]);
	ssize_t got;
	while ((got = read(failures[0], failure, sizeof *failure)) < 0 && errno == EINTR);
	close(failures[0]);
	return got == 0;
}
