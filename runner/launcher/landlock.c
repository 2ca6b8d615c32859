/* Files, TCP ports, signals and abstract sockets by Landlock. The kernel's headers may be older than the kernel. */
#define _GNU_SOURCE
#include "launcher.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Names as in linux/landlock.h, where the meaning of each is written down. */
enum {
	execute = 1 << 0,
	write_file = 1 << 1,
	read_file = 1 << 2,
	read_dir = 1 << 3,
	up_to_make_sym = (1 << 13) - 1,
	refer = 1 << 13,
	truncate_file = 1 << 14,
	ioctl_device = 1 << 15,
	on_files = execute | write_file | read_file | truncate_file | ioctl_device,
	connect_tcp = 1 << 1,
	on_tcp = 1 << 0 | connect_tcp,
	scope_abstract_sockets = 1 << 0,
	scope_signals = 1 << 1,
	rule_path_beneath = 1,
	rule_port = 2,
	ask_version = 1 << 0,
};

struct ruleset {
	uint64_t files, network, scoped;
};
struct path_rule {
	uint64_t allowed;
	int32_t parent;
} __attribute__((packed));
struct port_rule {
	uint64_t allowed, port;
};

int landlock_abi(void)
{
	int abi = syscall(SYS_landlock_create_ruleset, NULL, 0, ask_version);
	return abi < 0 ? 0 : abi;
}

/* A path that is not there needs no rule. */
static int allow(int ruleset, const char *path, uint64_t allowed)
{
	int parent = open(path, O_PATH | O_CLOEXEC);
	if (parent < 0) return errno == ENOENT || errno == ENOTDIR || errno == EACCES ? 0 : -1;
	struct stat stat;
	int result = fstat(parent, &stat);
	if (result == 0) {
		struct path_rule rule = { S_ISDIR(stat.st_mode) ? allowed : allowed & on_files, parent };
		result = syscall(SYS_landlock_add_rule, ruleset, rule_path_beneath, &rule, 0);
	}
	close(parent);
	return result;
}

int confine_files(const struct options *options)
{
	int abi = landlock_abi();
	struct ruleset handled = { .files = up_to_make_sym };
	if (abi >= 2) handled.files |= refer;
	if (abi >= 3) handled.files |= truncate_file;
	if (abi >= 4 && options->no_tcp) handled.network = on_tcp;
	if (abi >= 4 && options->proxy_port) handled.network = connect_tcp;
	if (abi >= 5) handled.files |= ioctl_device;
	if (abi >= 6) handled.scoped = scope_abstract_sockets | scope_signals;
	/* A kernel takes a longer struct than it knows as long as the rest is zero. */
	int ruleset = syscall(SYS_landlock_create_ruleset, &handled, sizeof handled, 0);
	if (ruleset < 0) return -1;
	int result = 0;
	for (const char *const *path = options->readable; *path && result == 0; path++) {
		result = allow(ruleset, *path, execute | read_file | read_dir);
	}
	for (const char *const *path = options->writable; *path && result == 0; path++) {
		result = allow(ruleset, *path, handled.files);
	}
	if (result == 0 && handled.network == connect_tcp) {
		struct port_rule rule = { connect_tcp, options->proxy_port };
		result = syscall(SYS_landlock_add_rule, ruleset, rule_port, &rule, 0);
	}
	if (result == 0) result = syscall(SYS_landlock_restrict_self, ruleset, 0);
	close(ruleset);
	return result;
}
