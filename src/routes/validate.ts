import type { Context, MiddlewareHandler, ValidationTargets } from "hono";
import type { InferInput } from "hono/validator";
import type * as z from "zod";
import type { AppEnv } from "../app-env";
import { parseInput } from "../shared/parse-input";
import { contentOf, described, type JsonSchema, jsonSchemaOf, type OperationPart, type Parameter } from "./described";
import { bodyErrors, errorAnswers } from "./error-answers";
import { readJson } from "./media";

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
	return described(middleware, () => partFor(target, schema));
}

const readers: Record<Part, (c: Context) => unknown> = {
	json: (c) => readJson(c),
	param: (c) => c.req.param(),
	query: (c) =>
		Object.fromEntries(
			Object.entries(c.req.queries()).map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
		),
};

function partFor(target: Part, schema: z.ZodType): OperationPart {
	if (target === "json") {
		const content = contentOf({ "application/json": schema }, "input");
		return { requestBody: { required: true, content }, responses: errorAnswers(bodyErrors) };
	}
	const parameters = parametersOf(target === "param" ? "path" : "query", jsonSchemaOf(schema, "input"));
	return { parameters, responses: errorAnswers(["invalid_input"]) };
}

/** A viewer shows what a parameter says of itself, and not what its schema does. */
const parametersOf = (place: Parameter["in"], { properties = {}, required = [] }: JsonSchema): Parameter[] =>
	Object.entries(properties as Record<string, JsonSchema>).map(([name, { description, ...schema }]) => ({
		name,
		in: place,
		required: place === "path" || (required as string[]).includes(name),
		...(typeof description === "string" && { description }),
		schema,
	}));
