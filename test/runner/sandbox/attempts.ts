import { expect } from "vitest";
import type { Order, Outcome } from "../../support/node/sandbox-orders";

/** A program that tries what an entry of the hostile corpus names, and how one sees that it was in vain. */
export interface Attempt extends Order {
	readonly heldIn: (outcome: Outcome) => void;
}

const python = (id: string, code: string, heldIn: Attempt["heldIn"]): Attempt => ({
	id,
	program: "python3",
	args: ["-c", code],
	heldIn,
});
const shell = (id: string, script: string, heldIn: Attempt["heldIn"], more: Partial<Order> = {}): Attempt => ({
	id,
	program: "bash",
	args: ["-c", script],
	heldIn,
	...more,
});

export const attempts: readonly Attempt[] = [
	shell("sandbox-01", "cat /etc/shadow", ({ end, stdout, stderr }) => {
		expect(end?.exitCode).toBe(1);
		expect(stdout).toBe("");
		expect(stderr).toMatch(/No such file|Permission denied/);
	}),
	shell("sandbox-02", "cat /proc/$RUNNER_PID/environ; cat /proc/[0-9]*/environ; true", ({ end, stdout }) => {
		expect(end?.exitCode).toBe(0);
		expect(stdout).not.toContain("canary-of-the-runner");
	}),
	python(
		"sandbox-04",
		`
import socket
for target in [("127.0.0.1", $UDP_PORT), ("192.0.2.1", 9)]:
    try:
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", target)
        print("sent")
    except OSError as error:
        print(type(error).__name__, error.errno)
try:
    socket.create_connection(("127.0.0.1", $TCP_PORT), 1)
    print("connected")
except OSError as error:
    print(error.errno)
`,
		({ end, stdout, reached }) => {
			expect(end?.exitCode).toBe(0);
			const [loopback, elsewhere, connection] = stdout?.trim().split("\n") ?? [];
			// In a network namespace of its own a program may talk to itself.
			expect(loopback).toMatch(/^(sent|OSError 101|PermissionError 1)$/);
			expect(elsewhere).toMatch(/^(OSError 101|PermissionError 1)$/);
			expect(connection).not.toBe("connected");
			expect(reached).toEqual([]);
		},
	),
	python(
		"sandbox-05",
		`
import socket
try:
    socket.socket(socket.AF_UNIX).connect("$SOCKET")
    print("connected")
except OSError as error:
    print(error.errno)
try:
    socket.socket(socket.AF_VSOCK).connect((2, 1024))
    print("connected")
except OSError as error:
    print(error.errno)
`,
		({ end, stdout, reached }) => {
			expect(end?.exitCode).toBe(0);
			expect(stdout).not.toContain("connected");
			expect(reached).toEqual([]);
		},
	),
	shell("sandbox-07", "setsid bash -c 'sleep 600; : $TOKEN' & exit 3", ({ end, left }) => {
		expect(end?.exitCode).toBe(3);
		expect(left).toEqual([]);
	}),
	shell(
		"sandbox-08",
		"bomb() { bomb | bomb & }; bomb; sleep 0.5; : $TOKEN",
		({ end, stderr, left }) => {
			expect(end).toBeDefined();
			expect(stderr).toContain("Resource temporarily unavailable");
			expect(left).toEqual([]);
		},
		{ limits: { timeoutMs: 1_500 } },
	),
	shell(
		"sandbox-10",
		"while :; do :; done; : $TOKEN",
		({ end, left }) => {
			expect(end?.signal ?? `code ${end?.exitCode}`).toMatch(/^(SIGXCPU|SIGKILL|code 15[29]|code 137)$/);
			expect(left).toEqual([]);
		},
		{ limits: { maxCpuTimeSeconds: 1, timeoutMs: 5_000 } },
	),
	shell(
		"sandbox-11",
		"yes $TOKEN | head -c 10G",
		({ end, stdoutBytes, left }) => {
			expect(end?.endedBy).toBe("output_limit");
			expect(stdoutBytes).toBe(1_048_576);
			expect(end?.droppedStdoutBytes).toBeGreaterThan(30_000_000);
			expect(left).toEqual([]);
		},
		{ maxOutputBytes: 40_000_000 },
	),
	shell("sandbox-13", "ls /proc/self/fd; cat <&7", ({ end, stdout }) => {
		expect(end?.exitCode).toBe(1);
		expect(stdout).not.toContain("secret-of-descriptor-7");
	}),
	python(
		"sandbox-16",
		`
import fcntl, os, termios
def attempt(what, act):
    try:
        act()
        print(what, "worked")
    except OSError as error:
        print(what, error.errno)
attempt("tty", lambda: os.open("/dev/tty", os.O_RDWR))
attempt("input", lambda: fcntl.ioctl(0, termios.TIOCSTI, b"x"))
`,
		({ end, stdout }) => {
			expect(end?.exitCode).toBe(0);
			expect(stdout).not.toContain("worked");
		},
	),
];
