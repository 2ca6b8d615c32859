/*
 * The way out of a network namespace that has nothing but loopback. Inside, a port of loopback is opened and handed outside; there
 * each connection to it is carried to the socket of a proxy, of which nothing is within the program's reach.
 */
#define _GNU_SOURCE
#include "launcher.h"

#include <arpa/inet.h>
#include <errno.h>
#include <net/if.h>
#include <netinet/in.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* More wait for their turn. */
enum { most_connections = 64 };

/* A namespace begins with it down; most wrappers raise it themselves. */
static bool raise_loopback(void)
{
	struct ifreq loopback = { .ifr_name = "lo" };
	int file = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	bool raised = ioctl(file, SIOCGIFFLAGS, &loopback) == 0;
	if (raised && !(loopback.ifr_flags & IFF_UP)) {
		loopback.ifr_flags |= IFF_UP;
		raised = ioctl(file, SIOCSIFFLAGS, &loopback) == 0;
	}
	close(file);
	return raised;
}

static int listen_on(long port)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(port) };
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (listener < 0) return -1;
	if (bind(listener, (struct sockaddr *)&address, sizeof address) == 0 && listen(listener, most_connections) == 0) return listener;
	int error = errno;
	close(listener);
	errno = error;
	return -1;
}

union control {
	struct cmsghdr header;
	char bytes[CMSG_SPACE(sizeof(int))];
};

static bool hand_out(int file)
{
	struct message message = { .kind = opened };
	struct iovec part = { &message, sizeof message };
	union control control = { .header = { CMSG_LEN(sizeof(int)), SOL_SOCKET, SCM_RIGHTS } };
	memcpy(CMSG_DATA(&control.header), &file, sizeof file);
	struct msghdr whole = { .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control };
	return sendmsg(speak, &whole, MSG_NOSIGNAL) == sizeof message;
}

bool open_way_out(long port)
{
	if (!raise_loopback()) return false;
	int listener = listen_on(port);
	if (listener < 0) return false;
	bool handed = hand_out(listener);
	close(listener);
	return handed;
}

ssize_t hear(int line, struct message *message, int *handed)
{
	union control control;
	struct iovec part = { message, sizeof *message };
	struct msghdr whole = { .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control };
	ssize_t got = recvmsg(line, &whole, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	struct cmsghdr *header = got > 0 ? CMSG_FIRSTHDR(&whole) : NULL;
	*handed = -1;
	if (header && header->cmsg_type == SCM_RIGHTS) memcpy(handed, CMSG_DATA(header), sizeof *handed);
	return got;
}

static int listener;
static struct sockaddr_un proxy = { .sun_family = AF_UNIX };
static sem_t free_places;

struct direction {
	int from, to;
};

static void *move_bytes(void *argument)
{
	const struct direction *direction = argument;
	char bytes[1 << 15];
	for (ssize_t length; (length = read(direction->from, bytes, sizeof bytes)) > 0;) {
		ssize_t at = 0;
		for (ssize_t done; at < length && (done = write(direction->to, bytes + at, length - at)) > 0;) at += done;
		if (at < length) break;
	}
	shutdown(direction->from, SHUT_RD);
	shutdown(direction->to, SHUT_WR);
	return NULL;
}

static void *carry(void *argument)
{
	int inside = (intptr_t)argument, outside = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (outside >= 0 && connect(outside, (struct sockaddr *)&proxy, sizeof proxy) == 0) {
		struct direction out = { inside, outside }, back = { outside, inside };
		pthread_t thread;
		if (pthread_create(&thread, NULL, move_bytes, &out) == 0) {
			move_bytes(&back);
			/* Whoever still sends has nobody left who hears. */
			shutdown(inside, SHUT_RD);
			pthread_join(thread, NULL);
		}
	}
	if (outside >= 0) close(outside);
	close(inside);
	sem_post(&free_places);
	return NULL;
}

static void *serve(void *unused)
{
	(void)unused;
	for (;;) {
		while (sem_wait(&free_places) != 0);
		int inside = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
		pthread_t thread;
		if (inside >= 0 && pthread_create(&thread, NULL, carry, (void *)(intptr_t)inside) == 0) {
			pthread_detach(thread);
			continue;
		}
		if (inside >= 0) close(inside);
		else usleep(1000);
		sem_post(&free_places);
	}
	return NULL;
}

/* Goes on until this process ends, which is when the program has. */
bool serve_way_out(int handed, const char *socket_path)
{
	pthread_t thread;
	listener = handed;
	if (!socket_path || strlen(socket_path) >= sizeof proxy.sun_path) return false;
	strcpy(proxy.sun_path, socket_path);
	sem_init(&free_places, 0, most_connections);
	return pthread_create(&thread, NULL, serve, NULL) == 0 && pthread_detach(thread) == 0;
}
