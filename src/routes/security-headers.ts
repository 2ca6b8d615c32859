import type { MiddlewareHandler } from "hono";
import { createMiddleware } from "hono/factory";
import { secureHeaders } from "hono/secure-headers";

const nothing = ["'none'"];

/** For answers of the API, files of agents among them: they load and run nothing and may be framed by nobody. */
const strict = secureHeaders({
	xFrameOptions: "DENY",
	contentSecurityPolicy: {
		defaultSrc: nothing,
		frameAncestors: nothing,
		baseUri: nothing,
		formAction: nothing,
		sandbox: [],
	},
});

/** For the documentation page: its own script, and the inline styles that the viewer sets. */
const page = secureHeaders({
	xFrameOptions: "DENY",
	contentSecurityPolicy: {
		defaultSrc: nothing,
		scriptSrc: ["'self'"],
		styleSrc: ["'self'", "'unsafe-inline'"],
		imgSrc: ["'self'", "data:"],
		connectSrc: ["'self'"],
		frameAncestors: nothing,
		baseUri: nothing,
		formAction: nothing,
	},
});

/** Puts the security headers and the request's id on every answer but a WebSocket's, whose headers cannot be changed. */
export const securityHeaders: MiddlewareHandler = createMiddleware(async (c, next) => {
	if (c.req.header("upgrade")?.toLowerCase() === "websocket") return await next();
	const isPage = c.req.path === "/docs" || c.req.path.startsWith("/docs/");
	await (isPage ? page : strict)(c, next);
	c.res.headers.set("X-Request-Id", c.get("requestId"));
	if (!c.res.headers.has("Cache-Control")) c.res.headers.set("Cache-Control", "no-store");
});
