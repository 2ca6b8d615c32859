/* Becoming somebody else, for good. */
#define _GNU_SOURCE
#include "launcher.h"

#include <errno.h>
#include <grp.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Without it no program that is started from here on gains a capability, whatever its file says. */
bool drop_bounding_set(void)
{
	for (int capability = 0; prctl(PR_CAPBSET_READ, capability, 0, 0, 0) >= 0; capability++) {
		if (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) != 0 && errno != EPERM) return false;
	}
	return true;
}

/* Who stays root would keep its capabilities. */
bool drop_capabilities(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = { 0 };
	return syscall(SYS_capset, &header, none) == 0;
}

bool become(long uid)
{
	if (uid < 0) return true;
	return setgroups(0, NULL) == 0 && setresgid(uid, uid, uid) == 0 && setresuid(uid, uid, uid) == 0;
}
