import type { Context, MiddlewareHandler, ValidationTargets } from "hono";
import type { InferInput } from "hono/validator";
import { uniqueSymbol } from "hono-openapi";
import type * as z from "zod";
import type { AppEnv } from "../app-env";
import { parseInput } from "../shared/parse-input";
import { bodyErrors, errorAnswers } from "./error-answers";
import { readJson } from "./media";
import { wireSchema } from "./wire-schema";

type Part = "json" | "query" | "param";

/** What the route's handler gets by `c.req.valid`, and what the typed client must send. */
interface Parsed<Target extends Part, Schema extends z.ZodType> {
	in: {
		[K in Target]: [z.input<Schema>] extends [ValidationTargets[K]] ? z.input<Schema> : InferInput<z.input<Schema>, K>;
	};
	out: { [K in Target]: z.output<Schema> };
}

/** Parses one part of the request, and describes it in OpenAPI; a misfit is the same `invalid_input` answer as everywhere else. */
export function validate<Target extends Part, Schema extends z.ZodType>(
	target: Target,
	schema: Schema,
): MiddlewareHandler<AppEnv, string, Parsed<Target, Schema>> {
	const middleware: MiddlewareHandler<AppEnv, string, Parsed<Target, Schema>> = async function validate(c, next) {
		const parsed = parseInput(schema, await readers[target](c));
		c.req.addValidatedData(target, parsed as object);
		await next();
	};
	return Object.assign(middleware, { [uniqueSymbol]: descriptionOf(target, schema) });
}

/** A body is described whole; of a query or a path, the library makes the list of parameters. */
function descriptionOf(target: Part, schema: z.ZodType) {
	if (target !== "json") return { target, ...wireSchema(schema, "input") };
	const content = { "application/json": { schema: wireSchema(schema, "input") } };
	return {
		spec: {
			requestBody: { required: true, content },
			responses: errorAnswers(bodyErrors),
		},
	};
}

const readers: Record<Part, (c: Context) => unknown> = {
	json: readJson,
	param: (c) => c.req.param(),
	query: (c) =>
		Object.fromEntries(
			Object.entries(c.req.queries()).map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
		),
};
