import { createMiddleware } from "hono/factory";
import { type DescribeRouteOptions, uniqueSymbol } from "hono-openapi";
import type * as z from "zod";
import type { AppEnv } from "../app-env";
import { AppError, type AppErrorCode } from "../shared/errors";
import type { Permission } from "../shared/permissions";
import { hasPermission } from "../shared/principal";
import { bodyErrors, errorAnswers } from "./error-answers";
import { wireSchema } from "./wire-schema";

interface Operation {
	readonly tag: string;
	readonly summary: string;
	readonly description?: string;
	/** Any one of these is enough. None given: every token will do. `public`: no token is needed. */
	readonly permission?: Permission | readonly Permission[] | "public";
	/** By status: a schema for JSON, a media type for anything else, or a sentence for an empty answer. */
	readonly answers: Readonly<Record<number, z.ZodType | Answer>>;
	/** What can go wrong besides what every route shares. */
	readonly errors?: readonly AppErrorCode[];
	/** A body that the handler reads itself, where `validate` does not. */
	readonly body?: DescribeRouteOptions["requestBody"];
}

interface Answer {
	readonly description: string;
	/** Schemas by media type. */
	readonly content?: Readonly<Record<string, z.ZodType>>;
}

/** Stands first at each route: says in OpenAPI what the route does, and lets through only who may do it. */
export function operation(options: Operation) {
	const wanted = [options.permission ?? []].flat().filter((permission) => permission !== "public");
	const middleware = createMiddleware<AppEnv>(async function operation(c, next) {
		if (wanted.length > 0 && !wanted.some((permission) => hasPermission(c.var.principal, permission))) {
			throw new AppError(
				"forbidden",
				`This needs the permission ${wanted.join(" or ")}, which your token does not hold.`,
			);
		}
		await next();
	});
	return Object.assign(middleware, { [uniqueSymbol]: { spec: specOf(options, wanted) } });
}

function specOf(options: Operation, wanted: readonly string[]): DescribeRouteOptions {
	const isPublic = options.permission === "public";
	const permission = wanted.length > 0 && `Needs the permission ${wanted.map((name) => `\`${name}\``).join(" or ")}.`;
	const shared: AppErrorCode[] = isPublic
		? []
		: ["unauthorized", ...(permission ? ["forbidden" as const] : []), "rate_limited"];
	return {
		tags: [options.tag],
		summary: options.summary,
		description: [options.description, permission].filter(Boolean).join("\n\n"),
		security: isPublic ? [] : [{ token: [] }],
		responses: {
			...Object.fromEntries(Object.entries(options.answers).map(([status, answer]) => [status, responseOf(answer)])),
			...errorAnswers([...(options.errors ?? []), ...(options.body ? bodyErrors : []), ...shared, "internal"]),
		},
		...(options.body && { requestBody: options.body }),
	};
}

function responseOf(answer: z.ZodType | Answer) {
	if ("_zod" in answer) {
		return { description: "Done.", content: { "application/json": { schema: wireSchema(answer, "output") } } };
	}
	const content = Object.entries(answer.content ?? {}).map(([type, schema]) => [
		type,
		{ schema: wireSchema(schema, "output") },
	]);
	return { description: answer.description, ...(content.length > 0 && { content: Object.fromEntries(content) }) };
}
