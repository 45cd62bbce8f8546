import { type JsonSchema, toJsonSchema } from "@valibot/to-json-schema";
import { assistantSchema, triggerSchema } from "../src/config/assistant-schema.ts";
import { type InterfaceDocs, readDocs } from "./member-docs.ts";

/** Checks that JSON Schema cannot express as code. Metadata beside each express them instead. */
const checksWithMetadata = ["check", "partial_check"];

/**
 * Converts the valibot schema of an assistant's configuration to JSON Schema (draft-07, which editors support).
 * Descriptions come from the doc comments in `typesSource`, the source of the configuration's types.
 */
export function assistantJsonSchema(typesSource: string): JsonSchema {
  const docs = readDocs(typesSource);
  const convert = (schema: Parameters<typeof toJsonSchema>[0]): JsonSchema =>
    toJsonSchema(schema, {
      typeMode: "output",
      ignoreActions: checksWithMetadata,
      overrideSchema: ({ valibotSchema, jsonSchema }) => (valibotSchema.type === "custom" ? jsonSchema : undefined),
    });
  const { $schema, ...assistant } = convert(assistantSchema);
  const { $schema: _, ...trigger } = convert(triggerSchema);
  const webhook = trigger.properties?.["webhook"];
  return {
    ...(typeof $schema === "string" ? { $schema } : {}),
    $id: "urn:tollgate:assistant",
    title: "An assistant of Tollgate",
    ...withDescriptions(assistant, docs.get("AssistantConfig"), {
      triggers: {
        type: "array",
        items: withDescriptions(trigger, docs.get("TriggerConfig"), {
          webhook: withDescriptions(typeof webhook === "object" ? webhook : {}, docs.get("WebhookConfig"), {}),
        }),
      },
    }),
  };
}

/** Adds descriptions to the schema of an object and its members. `replacements` replace the schemas of some members. */
function withDescriptions(
  schema: JsonSchema,
  docs: InterfaceDocs | undefined,
  replacements: Readonly<Record<string, JsonSchema>>,
): JsonSchema {
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const chosen = replacements[name] ?? property;
    const description = docs?.members.get(name);
    return [
      name,
      typeof chosen === "object" && description !== undefined ? { description, ...chosen } : chosen,
    ] as const;
  });
  return {
    ...(docs?.description === undefined ? {} : { description: docs.description }),
    ...schema,
    properties: Object.fromEntries(properties),
  };
}
