/* Becoming somebody else, for good. */
#define _GNU_SOURCE
#include "launcher.h"

#include <errno.h>
#include <grp.h>
#include <sys/prctl.h>
#include <unistd.h>

/* Without it no program that is started from here on gains a capability, whatever its file says. */
bool drop_bounding_set(void)
{
	for (int capability = 0; prctl(PR_CAPBSET_READ, capability, 0, 0, 0) >= 0; capability++) {
		if (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) != 0 && errno != EPERM) return false;
	}
	return true;
}

bool become(long uid)
{
	if (uid < 0) return true;
	return setgroups(0, NULL) == 0 && setresgid(uid, uid, uid) == 0 && setresuid(uid, uid, uid) == 0;
}
