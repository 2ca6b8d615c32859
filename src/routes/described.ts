import * as z from "zod";

export type JsonSchema = Readonly<Record<string, unknown>>;
export type Content = Readonly<Record<string, { readonly schema: JsonSchema; readonly example?: unknown }>>;

export interface Parameter {
	readonly name: string;
	readonly in: "path" | "query" | "header";
	readonly required: boolean;
	readonly description?: string;
	readonly schema: JsonSchema;
}

/** An operation of OpenAPI 3.1, or the part of one that a middleware knows of. */
export interface OperationPart {
	readonly tags?: readonly string[];
	readonly summary?: string;
	readonly description?: string;
	readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
	readonly parameters?: readonly Parameter[];
	readonly requestBody?: { readonly required: true; readonly content: Content };
	readonly responses?: Readonly<
		Record<string, JsonSchema | { readonly description: string; readonly content?: Content }>
	>;
}

const key = Symbol("openapi");

/** Attaches to a middleware what it says of its route; it is derived when the document is first asked for, not at start. */
export const described = <Middleware extends object>(middleware: Middleware, part: () => OperationPart): Middleware =>
	Object.assign(middleware, { [key]: part });

export const partOf = (handler: object): OperationPart | undefined =>
	(Reflect.get(handler, key) as (() => OperationPart) | undefined)?.();

/** JSON Schema of what travels: `input` as a client sends it, `output` as it is answered. */
export function jsonSchemaOf(schema: z.ZodType, io: "input" | "output"): JsonSchema {
	const { $schema: _, ...json } = z.toJSONSchema(schema, {
		io,
		unrepresentable: "any",
		override: ({ zodSchema, jsonSchema }) => {
			if (zodSchema._zod.def.type === "date") Object.assign(jsonSchema, { type: "string", format: "date-time" });
		},
	});
	return json;
}

/** Kept apart from the schemas' own metadata, from which zod drops the examples of what it transforms. */
const examples = new WeakMap<z.ZodType, unknown>();

/** The schema of a body, with one to show. */
export function withExample<Schema extends z.ZodType>(schema: Schema, example: z.input<Schema>): Schema {
	examples.set(schema, example);
	return schema;
}

/** Bodies by media type. */
export const contentOf = (schemas: Readonly<Record<string, z.ZodType>>, io: "input" | "output"): Content =>
	Object.fromEntries(
		Object.entries(schemas).map(([type, schema]) => [
			type,
			{ schema: jsonSchemaOf(schema, io), ...(examples.has(schema) && { example: examples.get(schema) }) },
		]),
	);
