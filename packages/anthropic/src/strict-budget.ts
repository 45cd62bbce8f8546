import type { JsonObject } from "@tollgate/core/provider";
import { isJsonObject } from "./json-object.ts";
import { toStrictSchema } from "./strict-schema.ts";

/**
 * What strict schemas may still contain in one request. The API counts them over the output format and all strict tools.
 * Follows https://platform.claude.com/docs/en/build-with-claude/structured-outputs#schema-complexity-limits
 */
export class StrictBudget {
  #tools = 20;
  #optional = 24;
  #unions = 16;

  /** Returns the strict form of an output format, or undefined if it has none or exceeds what is left. */
  addFormat(schema: JsonObject): JsonObject | undefined {
    const strict = toStrictSchema(schema);
    if (strict === undefined) return undefined;
    const { optional, unions } = countParameters(strict);
    if (optional > this.#optional || unions > this.#unions) return undefined;
    this.#optional -= optional;
    this.#unions -= unions;
    return strict;
  }

  /** Returns the strict form of a tool's input, or undefined if it has none or exceeds what is left. */
  addTool(schema: JsonObject): JsonObject | undefined {
    const strict = this.#tools === 0 ? undefined : this.addFormat(schema);
    if (strict !== undefined) this.#tools -= 1;
    return strict;
  }
}

interface ParameterCounts {
  readonly optional: number;
  readonly unions: number;
}

/** Counts the parameters that are not required, and the schemas that are unions. A definition counts once. */
function countParameters(schema: JsonObject): ParameterCounts {
  const { type, properties, required, anyOf, allOf, items, $defs, definitions } = schema;
  const names = Array.isArray(required) ? new Set<unknown>(required) : new Set();
  let optional = isJsonObject(properties) ? Object.keys(properties).filter((name) => !names.has(name)).length : 0;
  let unions = Array.isArray(anyOf) || Array.isArray(type) ? 1 : 0;
  const named = [properties, $defs, definitions].filter(isJsonObject).flatMap((schemas) => Object.values(schemas));
  for (const inner of [named, anyOf, allOf, items].flat().filter(isJsonObject)) {
    const counts = countParameters(inner);
    optional += counts.optional;
    unions += counts.unions;
  }
  return { optional, unions };
}
