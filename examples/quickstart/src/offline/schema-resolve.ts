import { isJsonObject, type JsonObject } from "../json-object.ts";
import { mergeSchemas } from "./schema-merge.ts";

const maxSteps = 100;

/**
 * Returns an equivalent schema without `$ref`, `allOf`, `anyOf` and `oneOf`: it follows references inside `root` and merges
 * the subschemas. `pick` chooses the branch of an `anyOf` or `oneOf`.
 */
export function resolveSchema(
  schema: JsonObject,
  root: JsonObject,
  pick: (branches: readonly unknown[]) => unknown,
): JsonObject {
  let steps = maxSteps;
  const resolve = (each: unknown): JsonObject => {
    steps -= 1;
    if (!isJsonObject(each) || steps < 0) return {};
    const { $ref, allOf, anyOf, oneOf, ...rest } = each;
    const parts = [
      ...(typeof $ref === "string" ? [follow($ref, root)] : []),
      ...(Array.isArray(allOf) ? allOf : []),
      ...(Array.isArray(anyOf) ? [pick(anyOf)] : []),
      ...(Array.isArray(oneOf) ? [pick(oneOf)] : []),
    ];
    return parts.map(resolve).reduce(mergeSchemas, rest);
  };
  return resolve(schema);
}

/** Returns true for a schema that cannot contain nested values. */
export function isLeaf(schema: unknown): boolean {
  if (!isJsonObject(schema)) return false;
  if ("const" in schema || "enum" in schema) return true;
  return typeof schema["type"] === "string" && schema["type"] !== "object" && schema["type"] !== "array";
}

/** Returns the schema at a JSON Pointer (RFC 6901) in a fragment. A reference to another document counts as a schema that accepts any value. */
function follow(reference: string, root: JsonObject): unknown {
  if (!reference.startsWith("#")) return undefined;
  const steps = reference.slice(1).split("/").slice(1);
  let found: unknown = root;
  for (const step of steps) {
    const name = unescapeStep(step);
    found = Array.isArray(found) ? found[Number(name)] : isJsonObject(found) ? found[name] : undefined;
  }
  return found;
}

function unescapeStep(step: string): string {
  try {
    return decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return step;
  }
}
