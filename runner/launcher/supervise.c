/*
 * Stays outside with all that the program may not have: the line to the runner, and the power to end everything.
 *
 * On descriptor 3 it writes a line of JSON when the program runs or cannot, and one when all is over. There it reads `t`, which asks
 * the program to end, and `k`, which ends it; so does the end of the runner.
 */
#define _GNU_SOURCE
#include "launcher.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct state {
	const struct options *options;
	pid_t child;
	/* The line to the launcher inside, or -1. */
	int inside;
	int child_status, program_status;
	bool child_over, program_over, never_started, over_memory;
	/* Of all descendants together. */
	long long peak_bytes;
	int look_again_ms;
};

/* Looks often at what grows, rarely at what rests. */
enum { least_ms = 20, most_ms = 320 };

static void report(const char *format, ...)
{
	char line[256];
	va_list values;
	va_start(values, format);
	int length = vsnprintf(line, sizeof line, format, values);
	va_end(values);
	send(speak, line, length, MSG_NOSIGNAL);
}

static void report_failure(struct state *state, struct failure failure)
{
	state->never_started = true;
	report("{\"failed\":\"%.15s\",\"errno\":%d}\n", failure.step, failure.error);
}

static void ask_to_end(const struct state *state)
{
	if (state->inside >= 0) send(state->inside, "t", 1, MSG_NOSIGNAL);
	else if (state->options->wrapper) kill(state->child, SIGTERM);
	else signal_descendants(SIGTERM);
}

static void hear_inside(struct state *state)
{
	struct message message;
	ssize_t got;
	int handed;
	while ((got = hear(state->inside, &message, &handed)) == sizeof message) {
		if (message.kind == opened && !serve_way_out(handed, state->options->proxy_socket)) {
			report_failure(state, (struct failure){ "proxy", errno });
		}
		if (message.kind == started) report("{\"started\":true}\n");
		if (message.kind == failed) report_failure(state, message.failure);
		if (message.kind == ended) {
			state->program_over = true;
			state->program_status = message.status;
		}
	}
	if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
	close(state->inside);
	state->inside = -1;
}

static void hear_signals(struct state *state, int signal_file)
{
	struct signalfd_siginfo signal;
	while (read(signal_file, &signal, sizeof signal) > 0) {
		if (signal.ssi_signo != SIGCHLD) ask_to_end(state);
	}
	int status;
	for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG)) > 0;) {
		if (pid != state->child) continue;
		state->child_over = true;
		state->child_status = status;
	}
}

/* True when the runner wants no more of it, or is gone. */
static bool hear_runner(const struct state *state)
{
	char asked;
	ssize_t got = recv(speak, &asked, 1, 0);
	if (got < 0) return errno != EINTR;
	if (got == 1 && asked == 't') ask_to_end(state);
	return got == 0 || asked == 'k';
}

static long now_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void look_at_memory(struct state *state)
{
	long long limit = (long long)state->options->memory_mb << 20, bytes = memory_of_descendants(limit);
	bool grows = bytes > state->peak_bytes + limit / 16;
	if (bytes > state->peak_bytes) state->peak_bytes = bytes;
	state->over_memory = limit && bytes > limit;
	if (grows) state->look_again_ms = least_ms;
	else if (state->look_again_ms < most_ms) state->look_again_ms *= 2;
}

static void watch(struct state *state, int signal_file)
{
	long looked_ms = now_ms();
	state->look_again_ms = least_ms;
	while (!state->child_over && !state->program_over && !state->never_started && !state->over_memory) {
		struct pollfd watched[] = {
			{ .fd = signal_file, .events = POLLIN },
			{ .fd = speak, .events = POLLIN },
			{ .fd = state->inside, .events = POLLIN },
		};
		int heard = poll(watched, 3, state->look_again_ms);
		if (now_ms() - looked_ms >= state->look_again_ms) {
			look_at_memory(state);
			looked_ms = now_ms();
		}
		if (heard <= 0) continue;
		if (watched[2].revents) hear_inside(state);
		if (watched[0].revents) hear_signals(state, signal_file);
		if (watched[1].revents && hear_runner(state)) return;
	}
}

/* It ends by itself when the program has; to look for what is left costs more than to wait. */
static void wait_for_wrapper(struct state *state)
{
	for (long since = now_ms(); !state->child_over && now_ms() - since < most_ms;) {
		if (waitpid(state->child, &state->child_status, WNOHANG) == state->child) state->child_over = true;
		else usleep(100);
	}
}

static void report_end(const struct state *state)
{
	struct rusage used;
	getrusage(RUSAGE_CHILDREN, &used);
	long cpu_ms = (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000 + (used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1000;
	int status = state->program_over ? state->program_status : state->child_status;
	bool by_signal = WIFSIGNALED(status);
	/* The kernel's figure is of the largest process, ours of all of them at the times when we looked. */
	long long largest = (long long)used.ru_maxrss * 1024, peak = largest > state->peak_bytes ? largest : state->peak_bytes;
	report("{\"%s\":%d,\"overMemory\":%s,\"cpuMs\":%ld,\"peakMemoryBytes\":%lld}\n", by_signal ? "signal" : "exitCode",
	       by_signal ? WTERMSIG(status) : WEXITSTATUS(status), state->over_memory ? "true" : "false", cpu_ms, peak);
}

static int open_signals(void)
{
	sigset_t signals;
	sigemptyset(&signals);
	for (const int *heard = (const int[]){ SIGCHLD, SIGTERM, SIGINT, SIGHUP, 0 }; *heard; heard++) sigaddset(&signals, *heard);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	signal(SIGPIPE, SIG_IGN);
	return signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
}

int supervise(const struct options *options)
{
	struct state state = { .options = options, .inside = -1 };
	setsid();
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
	syscall(SYS_close_range, speak + 1, ~0U, 0);
	fcntl(speak, F_SETFD, FD_CLOEXEC);
	int signal_file = open_signals();

	int line[2] = { -1, -1 };
	struct handed handed = { .speak = -1 };
	struct failure failure = { .step = "pipes" };
	if (!open_relays(handed.standard) || (options->init && socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, line) != 0)) {
		failure.error = errno;
		report_failure(&state, failure);
		return 1;
	}
	handed.speak = line[1];
	bool runs = spawn(options, &handed, &state.child, &failure);
	start_relays(handed.standard);
	close(line[1]);
	state.inside = line[0];
	if (!runs) report_failure(&state, failure);
	else if (!options->init) report("{\"started\":true}\n");

	watch(&state, signal_file);
	if (state.inside >= 0) hear_inside(&state);
	if (state.program_over && !state.child_over) wait_for_wrapper(&state);
	kill_descendants(options->uid, state.child, &state.child_status);
	report_end(&state);
	finish_output();
	return 0;
}
