/** The variables that a command sees (D11's nine names): made here, never taken from the process. */
export const environmentOf = (home: string): Record<string, string> => ({
	PATH: "/usr/bin:/bin",
	HOME: home,
	TERM: "dumb",
	LANG: "C.UTF-8",
	LC_ALL: "C.UTF-8",
	LC_CTYPE: "C.UTF-8",
	USER: "user",
	SHELL: "/bin/bash",
	TMPDIR: "/tmp",
});
