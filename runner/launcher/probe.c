/*
 * Tries, from inside a sandbox, what the sandbox is there to prevent:
 *
 *   launcher probe FILE PID MARK TCP-PORT UDP-PORT SOCKET FOLDER
 *
 * FILE and SOCKET lie outside; process PID runs outside, as the runner's user, with MARK in its environment; FOLDER is the program's
 * own. Writes a line for each thing that it could do, or could not do and should; none when the sandbox holds. What leaves no trace
 * here is for the runner to see: whether the process still runs, and whether a connection or a datagram arrived.
 */
#define _GNU_SOURCE
#include "launcher.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static bool can_open(const char *path, int flags)
{
	int file = open(path, flags | O_CLOEXEC, 0600);
	if (file >= 0) close(file);
	return file >= 0;
}

static bool can_connect(int family, int type, const void *address, socklen_t length)
{
	int socket_file = socket(family, type | SOCK_CLOEXEC, 0);
	if (socket_file < 0) return false;
	bool connected = connect(socket_file, address, length) == 0;
	if (connected && type == SOCK_DGRAM) send(socket_file, "probe", 5, MSG_NOSIGNAL);
	close(socket_file);
	return connected;
}

static bool can_reach_loopback(int type, const char *port)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(atoi(port)) };
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	return can_connect(AF_INET, type, &address, sizeof address);
}

static bool can_reach_path(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
	return can_connect(AF_UNIX, SOCK_STREAM, &address, sizeof address);
}

/* By content: in a process namespace of its own the number may be another's. */
static bool can_read_environment(const char *pid, const char *mark)
{
	char path[64], text[4096];
	snprintf(path, sizeof path, "/proc/%s/environ", pid);
	int file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0) return false;
	ssize_t length = read(file, text, sizeof text);
	close(file);
	return length > 0 && memmem(text, length, mark, strlen(mark));
}

int probe(int count, char **arguments)
{
	if (count != 7) return 2;
	const char *foreign = arguments[0], *pid = arguments[1], *mark = arguments[2], *folder = arguments[6];
	char own[4096];
	snprintf(own, sizeof own, "%s/probe", folder);

	if (can_open(foreign, O_RDONLY)) printf("it reads foreign files\n");
	if (can_open(foreign, O_WRONLY)) printf("it writes foreign files\n");
	if (can_open("/etc/shadow", O_RDONLY)) printf("it reads /etc/shadow\n");
	if (can_read_environment(pid, mark)) printf("it reads the environment of the runner's processes\n");
	for (int file = 3; file < 4096; file++) {
		if (fcntl(file, F_GETFD) >= 0) printf("it has descriptor %d of the runner\n", file);
	}
	if (can_reach_path(arguments[5])) printf("it reaches Unix sockets outside\n");
	if (can_reach_loopback(SOCK_STREAM, arguments[3])) printf("it reaches the network by TCP\n");
	can_reach_loopback(SOCK_DGRAM, arguments[4]);
	if (!can_open(own, O_WRONLY | O_CREAT | O_TRUNC)) printf("it cannot write into its own folder\n");
	unlink(own);
	fflush(stdout);
	/* Last, and in vain for ourselves, should the number be ours. */
	signal(SIGTERM, SIG_IGN);
	kill(atoi(pid), SIGTERM);
	return 0;
}
