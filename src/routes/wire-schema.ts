import type { ResolverReturnType } from "hono-openapi";
import * as z from "zod";

const everyDateIsText = ({
	zodSchema,
	jsonSchema,
}: {
	zodSchema: z.core.$ZodTypes;
	jsonSchema: z.core.JSONSchema.BaseSchema;
}) => {
	if (zodSchema._zod.def.type === "date") Object.assign(jsonSchema, { type: "string", format: "date-time" });
};

/** JSON Schema of what travels: `input` as a client sends it, `output` as it is answered. */
function jsonSchemaOf(schema: z.ZodType, io: "input" | "output") {
	const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: "any", override: everyDateIsText });
	return json;
}

/** A schema for the OpenAPI document, derived when the document is first asked for and not at start. */
export function wireSchema(schema: z.ZodType, io: "input" | "output"): ResolverReturnType {
	// OpenAPI 3.1 speaks JSON Schema 2020-12, as zod does; only the two packages' names for it differ.
	const json = () => jsonSchemaOf(schema, io) as ReturnType<ResolverReturnType["toJSONSchema"]>;
	return {
		vendor: "zod",
		validate: schema["~standard"].validate,
		toJSONSchema: json,
		toOpenAPISchema: async () => ({ schema: json() as Record<string, unknown>, components: undefined }),
	};
}
