import { isJsonObject, type JsonObject } from "../json-object.ts";
import { mergeSchemas } from "./schema-merge.ts";

const mostSteps = 100;

/**
 * A schema without `$ref`, `allOf`, `anyOf` and `oneOf`: references are followed inside `root`, and what stood in
 * those keywords is merged into one. `pick` chooses the branch of an `anyOf` or `oneOf`.
 */
export function resolveSchema(
  schema: JsonObject,
  root: JsonObject,
  pick: (branches: readonly unknown[]) => unknown,
): JsonObject {
  let steps = mostSteps;
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

/** True for a schema that certainly holds no further values. */
export function isLeaf(schema: unknown): boolean {
  if (!isJsonObject(schema)) return false;
  if ("const" in schema || "enum" in schema) return true;
  return typeof schema["type"] === "string" && schema["type"] !== "object" && schema["type"] !== "array";
}

/** The schema at a JSON pointer (RFC 6901) in a fragment; a reference that leads elsewhere accepts everything. */
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
