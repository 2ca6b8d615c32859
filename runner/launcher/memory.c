/*
 * What all descendants together hold in memory. Limits of a process cannot say it: they count address space, of which Node alone
 * reserves gigabytes, and they count each process for itself.
 */
#define _GNU_SOURCE
#include "launcher.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef long long (*measure)(pid_t pid);

/* Adds up the lines of `path` that begin with one of `names`; they are in kB. */
static long long sum_lines(const char *path, const char *const *names)
{
	FILE *file = fopen(path, "re");
	if (!file) return -1;
	long long sum = 0;
	for (char line[256]; fgets(line, sizeof line, file);) {
		for (const char *const *name = names; *name; name++) {
			size_t length = strlen(*name);
			if (!strncmp(line, *name, length)) sum += atoll(line + length) * 1024;
		}
	}
	fclose(file);
	return sum;
}

/* Quick; counts a page that two processes share twice. */
static long long resident(pid_t pid)
{
	char path[64];
	snprintf(path, sizeof path, "/proc/%d/status", pid);
	long long bytes = sum_lines(path, (const char *const[]){ "RssAnon:", "RssShmem:", "VmSwap:", NULL });
	return bytes < 0 ? 0 : bytes;
}

/* Slow; counts a page that two processes share half in each. */
static long long proportional(pid_t pid)
{
	char path[64];
	snprintf(path, sizeof path, "/proc/%d/smaps_rollup", pid);
	long long bytes = sum_lines(path, (const char *const[]){ "Pss_Anon:", "Pss_Shmem:", "SwapPss:", NULL });
	return bytes < 0 ? resident(pid) : bytes;
}

static long long below(pid_t pid, measure measure);

static long long below_thread(pid_t pid, const char *thread, measure measure)
{
	char path[300];
	snprintf(path, sizeof path, "/proc/%d/task/%s/children", pid, thread);
	FILE *file = fopen(path, "re");
	if (!file) return 0;
	long long sum = 0;
	for (int child; fscanf(file, "%d", &child) == 1;) sum += measure(child) + below(child, measure);
	fclose(file);
	return sum;
}

static long long below(pid_t pid, measure measure)
{
	char path[64];
	snprintf(path, sizeof path, "/proc/%d/task", pid);
	DIR *folder = opendir(path);
	if (!folder) return 0;
	long long sum = 0;
	for (struct dirent *thread; (thread = readdir(folder));) {
		if (thread->d_name[0] != '.') sum += below_thread(pid, thread->d_name, measure);
	}
	closedir(folder);
	return sum;
}

bool children_listed(void)
{
	char path[64];
	snprintf(path, sizeof path, "/proc/self/task/%d/children", getpid());
	return access(path, R_OK) == 0;
}

long long memory_of_descendants(long long limit)
{
	long long quick = below(getpid(), resident);
	return limit && quick > limit ? below(getpid(), proportional) : quick;
}
