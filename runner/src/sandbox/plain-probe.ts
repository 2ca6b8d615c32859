/** What the launcher's probe tries, as far as a shell can: its arguments are the same. */
export const plainProbe = `
can() { ("$@") 2>/dev/null; }
read_it() { : < "$1"; }
write_it() { : >> "$1"; }
can read_it "$1" && echo "it reads foreign files"
can write_it "$1" && echo "it writes foreign files"
can read_it /etc/shadow && echo "it reads /etc/shadow"
grep -qs "$3" "/proc/$2/environ" && echo "it reads the environment of the runner's processes"
test -e "$6" && echo "it reaches Unix sockets outside"
for file in /proc/self/fd/*; do
	number=\${file##*/}
	test "$number" -gt 2 && test -e "/proc/self/fd/$number" && echo "it has descriptor $number of the runner"
done
test "$(wc -l < /proc/net/dev)" -eq 3 || echo "it has network interfaces"
can write_it "$7/probe" || echo "it cannot write into its own folder"
rm -f "$7/probe"
kill "$2" 2>/dev/null
true
`;
