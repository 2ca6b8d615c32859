/* The first process inside a wrapper: starts the program, hands SIGTERM on, reaps, and tells how it ended. */
#define _GNU_SOURCE
#include "launcher.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static void tell(struct message message)
{
	send(speak, &message, sizeof message, MSG_NOSIGNAL);
}

/* As first process of a process namespace -1 is everybody in it but us; else it would be the wrapper too. */
static void ask_to_end(pid_t program)
{
	kill(getpid() == 1 ? -1 : program, SIGTERM);
}

static bool reap(pid_t program, int *status)
{
	int its;
	for (pid_t pid; (pid = waitpid(-1, &its, WNOHANG)) > 0;) {
		if (pid != program) continue;
		*status = its;
		return true;
	}
	return false;
}

int run_init(const struct options *options)
{
	/* Hides our memory and descriptors from programs of the same user. */
	prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
	fcntl(speak, F_SETFD, FD_CLOEXEC);
	sigset_t signals;
	sigemptyset(&signals);
	sigaddset(&signals, SIGCHLD);
	sigaddset(&signals, SIGTERM);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	int signal_file = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);

	pid_t program;
	struct failure failure;
	const struct handed nothing = { { -1, -1, -1 }, -1 };
	if (options->proxy_port && !open_way_out(options->proxy_port)) {
		tell((struct message){ .kind = failed, .failure = { "network", errno } });
		return 127;
	}
	/* What loopback was raised with is of no more use; who has still to become another user needs it. */
	if (options->proxy_port && options->uid < 0) drop_capabilities();
	if (!spawn(options, &nothing, &program, &failure)) {
		tell((struct message){ .kind = failed, .failure = failure });
		return 127;
	}
	tell((struct message){ .kind = started });

	struct pollfd watched[] = { { .fd = signal_file, .events = POLLIN }, { .fd = speak, .events = POLLIN } };
	for (;;) {
		if (poll(watched, 2, -1) < 0) continue;
		if (watched[0].revents) {
			struct signalfd_siginfo signal;
			while (read(signal_file, &signal, sizeof signal) > 0) {
				if (signal.ssi_signo == SIGTERM) ask_to_end(program);
			}
			int status;
			if (reap(program, &status)) {
				tell((struct message){ .kind = ended, .status = status });
				return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
			}
		}
		if (watched[1].revents) {
			char asked;
			ssize_t got = recv(speak, &asked, 1, 0);
			/* Nobody listens where a wrapper does not hand the descriptor on. */
			if (got < 0) watched[1].fd = -1;
			/* Who watches us is gone. */
			if (got == 0) return 137;
			if (got > 0) ask_to_end(program);
		}
	}
}
