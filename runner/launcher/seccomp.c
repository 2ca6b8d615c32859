/* System calls that no program of an agent needs and that have led out of sandboxes. */
#define _GNU_SOURCE
#include "launcher.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/netlink.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <sched.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "The filter is written for x86_64 and aarch64."
#endif

static const int refused[] = {
	/* Namespaces and mounts. */
	SYS_unshare, SYS_setns, SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_move_mount, SYS_open_tree, SYS_fsopen,
	SYS_fsconfig, SYS_fsmount, SYS_fspick, SYS_mount_setattr,
	/* Other processes. */
	SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_pidfd_getfd, SYS_kcmp, SYS_perf_event_open,
	/* Files by handle, which knows no path. */
	SYS_open_by_handle_at, SYS_name_to_handle_at,
	/* Wide and often broken into. */
	SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register, SYS_bpf, SYS_userfaultfd, SYS_add_key, SYS_request_key,
	SYS_keyctl,
	/* Memory that no limit of a process counts, and that outlives it. */
	SYS_shmget, SYS_msgget, SYS_semget, SYS_memfd_create, SYS_memfd_secret,
	/* The machine. */
	SYS_kexec_load, SYS_kexec_file_load, SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_reboot, SYS_swapon,
	SYS_swapoff, SYS_acct, SYS_quotactl, SYS_syslog, SYS_settimeofday, SYS_clock_settime, SYS_clock_adjtime, SYS_adjtimex,
#if defined(__x86_64__)
	SYS_iopl, SYS_ioperm, SYS_modify_ldt, SYS_uselib,
#endif
};

static struct sock_filter code[256];
static unsigned short length;

static void add(unsigned short operation, unsigned value, unsigned char if_true, unsigned char if_false)
{
	code[length++] = (struct sock_filter)BPF_JUMP(operation, value, if_true, if_false);
}
static void load(size_t offset) { add(BPF_LD | BPF_W | BPF_ABS, offset, 0, 0); }
static void answer(unsigned action) { add(BPF_RET | BPF_K, action, 0, 0); }
static void skip_unless(unsigned value, unsigned char steps) { add(BPF_JMP | BPF_JEQ | BPF_K, value, 0, steps); }
/* Both machines are little-endian: the low half of an argument comes first. */
static void load_argument(int index) { load(offsetof(struct seccomp_data, args) + 8 * index); }
static void load_call(void) { load(offsetof(struct seccomp_data, nr)); }

static void allow_if(unsigned value)
{
	skip_unless(value, 1);
	answer(SECCOMP_RET_ALLOW);
}

static void refuse_if(unsigned value, int error)
{
	skip_unless(value, 1);
	answer(SECCOMP_RET_ERRNO | error);
}

/* What follows, up to the end of the block, is for one call only. */
static unsigned short begin_block(int call)
{
	skip_unless(call, 0);
	return length - 1;
}
static void end_block(unsigned short begin) { code[begin].jf = length - begin - 1; }

static void refuse_new_namespaces(void)
{
	const unsigned namespaces = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID |
		CLONE_NEWNET;
	unsigned short block = begin_block(SYS_clone);
	load_argument(0);
	add(BPF_JMP | BPF_JSET | BPF_K, namespaces, 0, 1);
	answer(SECCOMP_RET_ERRNO | EPERM);
	answer(SECCOMP_RET_ALLOW);
	end_block(block);
	/* Its flags lie in memory, out of a filter's sight; libraries fall back to clone. */
	refuse_if(SYS_clone3, ENOSYS);
}

/* A terminal takes these as keys that its user pressed. */
static void refuse_terminal_input(void)
{
	unsigned short block = begin_block(SYS_ioctl);
	load_argument(1);
	refuse_if(TIOCSTI, EPERM);
	refuse_if(TIOCLINUX, EPERM);
	answer(SECCOMP_RET_ALLOW);
	end_block(block);
}

/* Only by TCP does a proxy lead anywhere. */
static void allow_tcp(unsigned family)
{
	const unsigned kinds = 0xf;
	unsigned short block = begin_block(family);
	load_argument(1);
	add(BPF_ALU | BPF_AND | BPF_K, kinds, 0, 0);
	add(BPF_JMP | BPF_JEQ | BPF_K, SOCK_STREAM, 1, 0);
	answer(SECCOMP_RET_ERRNO | EPERM);
	load_argument(2);
	allow_if(0);
	allow_if(IPPROTO_TCP);
	answer(SECCOMP_RET_ERRNO | EPERM);
	end_block(block);
}

/* Packet, Bluetooth, vsock and forty others are left out: vsock, for one, knows no network namespace. */
static void limit_sockets(const struct options *options)
{
	unsigned short block = begin_block(SYS_socket);
	load_argument(0);
	if (!options->no_unix) allow_if(AF_UNIX);
	if (options->proxy_port) allow_tcp(AF_INET);
	else if (!options->no_inet) allow_if(AF_INET);
	if (!options->proxy_port && !options->no_inet) allow_if(AF_INET6);
	/* Asks for the machine's own addresses; Node cannot do without. */
	skip_unless(AF_NETLINK, 3);
	load_argument(2);
	allow_if(NETLINK_ROUTE);
	answer(SECCOMP_RET_ERRNO | EPERM);
	end_block(block);
}

bool seccomp_available(void)
{
	/* A filter at no address: a kernel that has filters complains of the address. */
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL, 0, 0) != 0 && errno == EFAULT;
}

int filter_calls(const struct options *options)
{
	length = 0;
	load(offsetof(struct seccomp_data, arch));
	skip_unless(ARCHITECTURE, 1);
	add(BPF_JMP | BPF_JA, 1, 0, 0);
	answer(SECCOMP_RET_ERRNO | ENOSYS);
	load_call();
#if defined(__x86_64__)
	/* The x32 calls have other numbers. */
	add(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1);
	answer(SECCOMP_RET_ERRNO | ENOSYS);
#endif
	for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) refuse_if(refused[i], EPERM);
	refuse_new_namespaces();
	refuse_terminal_input();
	limit_sockets(options);
	answer(SECCOMP_RET_ALLOW);
	struct sock_fprog program = { length, code };
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}
