/** Who asks: the token behind a request, or the trigger behind an unattended turn. */
export interface Principal {
	/** Token id, or `admin` for the deployment's own token. */
	readonly id: string;
	readonly name: string;
	readonly role: "admin" | "user";
	/** `resource:action` strings; `*` stands for every one. */
	readonly permissions: readonly string[];
}

/** True when the principal may do `permission`, by name, by `resource:*` or by `*`. */
export function hasPermission(principal: Principal, permission: string): boolean {
	const resource = permission.slice(0, permission.lastIndexOf(":"));
	return principal.permissions.some((held) => held === "*" || held === permission || held === `${resource}:*`);
}
