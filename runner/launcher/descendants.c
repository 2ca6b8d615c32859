/* All that descends from this process, which is a subreaper: who loses its parent becomes our child. */
#define _GNU_SOURCE
#include "launcher.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct process {
	pid_t pid, parent;
	bool ours;
};

/* The parent is the second field after the name, which may hold anything, brackets too. */
static pid_t parent_of(const char *pid)
{
	char path[64], text[512];
	snprintf(path, sizeof path, "/proc/%s/stat", pid);
	FILE *file = fopen(path, "re");
	if (!file) return 0;
	size_t length = fread(text, 1, sizeof text - 1, file);
	fclose(file);
	text[length] = '\0';
	const char *after_name = strrchr(text, ')');
	int parent = 0;
	if (after_name) sscanf(after_name + 1, " %*c %d", &parent);
	return parent;
}

static struct process *list_processes(size_t *count)
{
	struct process *list = NULL;
	size_t room = *count = 0;
	DIR *folder = opendir("/proc");
	if (!folder) return NULL;
	for (struct dirent *entry; (entry = readdir(folder));) {
		pid_t pid = atoi(entry->d_name);
		if (pid <= 0) continue;
		if (*count == room) {
			room = room ? room * 2 : 256;
			struct process *larger = realloc(list, room * sizeof *list);
			if (!larger) break;
			list = larger;
		}
		list[(*count)++] = (struct process){ .pid = pid, .parent = parent_of(entry->d_name) };
	}
	closedir(folder);
	return list;
}

void signal_descendants(int signal)
{
	size_t count;
	struct process *list = list_processes(&count);
	/* A child stands after its parent in most lists; passes go on for those that do not. */
	for (bool found = true; found;) {
		found = false;
		for (size_t i = 0; i < count; i++) {
			if (list[i].ours) continue;
			bool ours = list[i].parent == getpid();
			for (size_t j = 0; !ours && j < count; j++) ours = list[j].ours && list[j].pid == list[i].parent;
			if (ours) found = list[i].ours = true;
		}
	}
	for (size_t i = 0; i < count; i++) {
		if (list[i].ours) kill(list[i].pid, signal);
	}
	free(list);
}

/* As the user itself, because then one call reaches every process of it and no new one slips through. */
static void kill_all_of(long uid)
{
	pid_t pid = fork();
	if (pid == 0) {
		if (become(uid)) kill(-1, SIGKILL);
		_exit(0);
	}
	if (pid > 0) waitpid(pid, NULL, 0);
}

/* Returns when none is left; `status` becomes that of `pid` when it is among them. */
void kill_descendants(long uid, pid_t pid, int *status)
{
	for (;;) {
		pid_t reaped;
		for (int its; (reaped = waitpid(-1, &its, WNOHANG)) > 0;) {
			if (reaped == pid) *status = its;
		}
		if (reaped < 0 && errno == ECHILD) return;
		if (uid > 0) kill_all_of(uid);
		signal_descendants(SIGKILL);
		usleep(200);
	}
}
