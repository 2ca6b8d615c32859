/*
 * Starts a program of the runner, confined, and ends all that it started.
 *
 *   launcher supervise [options] -- program …    outside: watches, ends and counts
 *   launcher init [options] -- program …         (or init @FILE) first process inside a wrapper, such as bubblewrap, that `supervise --init` started
 *   launcher features                            says what this kernel has
 *   launcher probe …                             tries to get out; see probe.c
 */
#define _GNU_SOURCE
#include "launcher.h"

#include <err.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void append(const char **list, int most, const char *value)
{
	int count = 0;
	while (list[count]) count++;
	if (count == most) errx(2, "too many of one option: %s", value);
	list[count] = value;
}

static long number(const char *text)
{
	char *end;
	long value = strtol(text, &end, 10);
	if (*text == '\0' || *end != '\0' || value < 0) errx(2, "not a number: %s", text);
	return value;
}

enum { uid = 1, cwd, readable, writable, environment, cgroup, memory, cpu, files, tasks,
       proxy_port, proxy_socket, landlock, seccomp, no_tcp, no_inet, no_unix, keep_privileges, wrapper, init };

static const struct option known[] = {
	{ "uid", required_argument, NULL, uid },
	{ "cwd", required_argument, NULL, cwd },
	{ "read", required_argument, NULL, readable },
	{ "write", required_argument, NULL, writable },
	{ "env", required_argument, NULL, environment },
	{ "cgroup", required_argument, NULL, cgroup },
	{ "memory-mb", required_argument, NULL, memory },
	{ "cpu-seconds", required_argument, NULL, cpu },
	{ "open-files", required_argument, NULL, files },
	{ "tasks", required_argument, NULL, tasks },
	/* Inside: loopback leads to a proxy by this port. Outside: where that proxy listens. */
	{ "proxy-port", required_argument, NULL, proxy_port },
	{ "proxy-socket", required_argument, NULL, proxy_socket },
	{ "landlock", no_argument, NULL, landlock },
	{ "seccomp", no_argument, NULL, seccomp },
	{ "no-tcp", no_argument, NULL, no_tcp },
	{ "no-inet", no_argument, NULL, no_inet },
	{ "no-unix", no_argument, NULL, no_unix },
	/* For a wrapper that is a setuid program. */
	{ "keep-privileges", no_argument, NULL, keep_privileges },
	/* The program is a wrapper: it is started as it is, and confines what it starts. */
	{ "wrapper", no_argument, NULL, wrapper },
	/* The wrapper starts `launcher init`, which tells how the program fares. */
	{ "init", no_argument, NULL, init },
	{ 0 },
};

static struct options parse(int count, char **arguments)
{
	struct options options = { .uid = -1 };
	for (int given; (given = getopt_long(count, arguments, "+", known, NULL)) != -1;) {
		switch (given) {
		case uid: options.uid = number(optarg); break;
		case cwd: options.cwd = optarg; break;
		case readable: append(options.readable, max_paths, optarg); break;
		case writable: append(options.writable, max_paths, optarg); break;
		case environment: append(options.environment, max_names, optarg); break;
		case cgroup: append(options.cgroups, max_cgroups, optarg); break;
		case memory: options.memory_mb = number(optarg); break;
		case cpu: options.cpu_seconds = number(optarg); break;
		case files: options.open_files = number(optarg); break;
		case tasks: options.tasks = number(optarg); break;
		case proxy_port: options.proxy_port = number(optarg); break;
		case proxy_socket: options.proxy_socket = optarg; break;
		case landlock: options.landlock = true; break;
		case seccomp: options.seccomp = true; break;
		case no_tcp: options.no_tcp = true; break;
		case no_inet: options.no_inet = true; break;
		case no_unix: options.no_unix = true; break;
		case keep_privileges: options.keep_privileges = true; break;
		case wrapper: options.wrapper = true; break;
		case init: options.wrapper = options.init = true; break;
		default: exit(2);
		}
	}
	options.argv = arguments + optind;
	if (!*options.argv) errx(2, "no program is named");
	return options;
}

/* Arguments from a file, a NUL after each, for wrappers that take only a few. */
static char **read_arguments(const char *path, int *count)
{
	FILE *file = fopen(path, "re");
	if (!file) err(2, "%s", path);
	char **arguments = NULL;
	for (int room = *count = 0;; (*count)++) {
		if (*count + 1 >= room && !(arguments = realloc(arguments, (room = room * 2 + 64) * sizeof *arguments))) err(2, "realloc");
		char *argument = NULL;
		size_t size = 0;
		arguments[*count] = NULL;
		if (getdelim(&argument, &size, '\0', file) < 0) break;
		arguments[*count] = argument;
	}
	fclose(file);
	return arguments;
}

int main(int count, char **arguments)
{
	const char *role = count > 1 ? arguments[1] : "";
	if (!strcmp(role, "features")) {
		printf("{\"landlockAbi\":%d,\"seccomp\":%s,\"memory\":%s}\n", landlock_abi(), seccomp_available() ? "true" : "false",
		       children_listed() ? "true" : "false");
		return 0;
	}
	if (!strcmp(role, "probe")) return probe(count - 2, arguments + 2);
	if (strcmp(role, "supervise") && strcmp(role, "init")) errx(2, "supervise, init, features or probe?");
	arguments++;
	count--;
	if (count == 2 && arguments[1][0] == '@') arguments = read_arguments(arguments[1] + 1, &count);
	struct options options = parse(count, arguments);
	return strcmp(role, "init") ? supervise(&options) : run_init(&options);
}
