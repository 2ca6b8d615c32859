import { createMiddleware } from "hono/factory";
import type * as z from "zod";
import type { AppEnv } from "../app-env";
import { AppError, type AppErrorCode } from "../shared/errors";
import type { Permission } from "../shared/permissions";
import { hasPermission } from "../shared/principal";
import { contentOf, described, type OperationPart, type Parameter } from "./described";
import { bodyErrors, errorAnswers } from "./error-answers";

type Bodies = Readonly<Record<string, z.ZodType>>;

interface Operation {
	readonly tag: string;
	readonly summary: string;
	readonly description?: string;
	/** Any one of these is enough. None given: every token will do. `public`: no token is needed. */
	readonly permission?: Permission | readonly Permission[] | "public";
	/** By name, what a header of the request does; the ones that every request may have are left out. */
	readonly headers?: Readonly<Record<string, string>>;
	/** By media type, a body that the handler reads itself, where `validate` does not. */
	readonly body?: Bodies;
	/** By status: a schema for JSON, or the description of anything else. */
	readonly answers: Readonly<Record<number, z.ZodType | { readonly description: string; readonly content?: Bodies }>>;
	/** What can go wrong besides what every route shares. */
	readonly errors?: readonly AppErrorCode[];
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
	return described(middleware, () => partFor(options, wanted));
}

function partFor(
	{ tag, summary, description, headers, body, answers, ...options }: Operation,
	wanted: readonly string[],
): OperationPart {
	const isPublic = options.permission === "public";
	const needs = wanted.length > 0 && `Needs the permission ${wanted.map((name) => `\`${name}\``).join(" or ")}.`;
	const errors: AppErrorCode[] = [
		...(options.errors ?? []),
		...(body ? bodyErrors : []),
		...(isPublic ? [] : (["unauthorized", "rate_limited", "unavailable"] as const)),
		...(needs ? (["forbidden"] as const) : []),
		"internal",
	];
	return {
		tags: [tag],
		summary,
		description: [description, needs].filter(Boolean).join("\n\n"),
		security: isPublic ? [] : [{ token: [] }],
		responses: {
			...Object.fromEntries(Object.entries(answers).map(([status, answer]) => [status, answerOf(answer)])),
			...errorAnswers(errors),
		},
		...(headers && { parameters: headerParameters(headers) }),
		...(body && { requestBody: { required: true, content: contentOf(body, "input") } }),
	};
}

const headerParameters = (headers: Readonly<Record<string, string>>): Parameter[] =>
	Object.entries(headers).map(([name, description]) => ({
		name,
		in: "header",
		required: false,
		description,
		schema: { type: "string" },
	}));

function answerOf(answer: Operation["answers"][number]) {
	if ("_zod" in answer) return { description: "Done.", content: contentOf({ "application/json": answer }, "output") };
	const { description, content } = answer;
	return { description, ...(content && { content: contentOf(content, "output") }) };
}
