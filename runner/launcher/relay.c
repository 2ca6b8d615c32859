/*
 * Pipes between the program and the runner. Node hands out sockets, and those a program cannot open again by /dev/stdin or
 * /dev/stdout; bash even takes one for a remote shell's and reads its profile.
 */
#define _GNU_SOURCE
#include "launcher.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static struct relay {
	int from, to;
	pthread_t thread;
} relays[3];

static bool write_all(int file, const char *bytes, ssize_t length)
{
	for (ssize_t done, at = 0; at < length; at += done) {
		if ((done = write(file, bytes + at, length - at)) < 0) return false;
	}
	return true;
}

/*
 * Ends when either side does; the other side then hears of it. Not by splice, which locks a pipe while it waits for the socket: then
 * nobody, not even SIGKILL, gets the program away from it.
 */
static void *move_bytes(void *argument)
{
	struct relay *relay = argument;
	static __thread char bytes[1 << 16];
	for (ssize_t length; (length = read(relay->from, bytes, sizeof bytes)) > 0 && write_all(relay->to, bytes, length););
	close(relay->to);
	shutdown(relay->from, SHUT_RD);
	close(relay->from);
	return NULL;
}

bool open_relays(int theirs[3])
{
	for (int standard = 0; standard < 3; standard++) {
		int ends[2];
		if (pipe2(ends, O_CLOEXEC) != 0) return false;
		/* The program may be another user, and opens it again by name. */
		fchmod(ends[0], 0666);
		bool input = standard == STDIN_FILENO;
		theirs[standard] = ends[input ? 0 : 1];
		relays[standard] = input ? (struct relay){ .from = standard, .to = ends[1] } : (struct relay){ .from = ends[0], .to = standard };
	}
	return true;
}

void start_relays(const int theirs[3])
{
	for (int standard = 0; standard < 3; standard++) {
		close(theirs[standard]);
		pthread_create(&relays[standard].thread, NULL, move_bytes, &relays[standard]);
	}
}

void finish_output(void)
{
	pthread_join(relays[STDOUT_FILENO].thread, NULL);
	pthread_join(relays[STDERR_FILENO].thread, NULL);
}
