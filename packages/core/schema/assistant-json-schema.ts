import { type JsonSchema, toJsonSchema } from "@valibot/to-json-schema";
import { assistantSchema, triggerSchema } from "../src/assistants/config/assistant-schema.ts";
import { type InterfaceDocs, readDocs } from "./member-docs.ts";

/** What says in JSON Schema the same as a check in code: the metadata that stand beside it. */
const saidInMetadata = ["check", "partial_check"];

/**
 * The JSON Schema (draft-07, which editors read) of an assistant's configuration, from the schema that reads it. The
 * comments of the source of its types become the descriptions.
 */
export function assistantJsonSchema(typesSource: string): JsonSchema {
  const docs = readDocs(typesSource);
  const convert = (schema: Parameters<typeof toJsonSchema>[0]): JsonSchema =>
    toJsonSchema(schema, {
      typeMode: "output",
      ignoreActions: saidInMetadata,
      overrideSchema: ({ valibotSchema, jsonSchema }) => (valibotSchema.type === "custom" ? jsonSchema : undefined),
    });
  const { $schema, ...assistant } = convert(assistantSchema);
  const { $schema: _, ...trigger } = convert(triggerSchema);
  const webhook = trigger.properties?.["webhook"];
  return {
    ...(typeof $schema === "string" ? { $schema } : {}),
    $id: "urn:tollgate:assistant",
    title: "An assistant of Tollgate",
    ...described(assistant, docs.get("AssistantConfig"), {
      triggers: {
        type: "array",
        items: described(trigger, docs.get("TriggerConfig"), {
          webhook: described(typeof webhook === "object" ? webhook : {}, docs.get("WebhookConfig"), {}),
        }),
      },
    }),
  };
}

/** A schema of an object with descriptions, and with the schemas of some members in place of its own. */
function described(
  schema: JsonSchema,
  docs: InterfaceDocs | undefined,
  replaced: Readonly<Record<string, JsonSchema>>,
): JsonSchema {
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const chosen = replaced[name] ?? property;
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
