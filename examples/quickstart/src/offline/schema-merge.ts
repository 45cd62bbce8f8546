import { isJsonObject, type JsonObject } from "../json-object.ts";

/** Merges two schemas into one that requires both, as far as single keywords can express it. */
export function mergeSchemas(left: JsonObject, right: JsonObject): JsonObject {
  const merged: Record<string, unknown> = { ...left };
  for (const [keyword, value] of Object.entries(right)) {
    merged[keyword] = keyword in left ? mergeKeyword(keyword, left[keyword], value) : value;
  }
  return merged;
}

function mergeKeyword(keyword: string, left: unknown, right: unknown): unknown {
  switch (keyword) {
    case "properties":
      return isJsonObject(left) && isJsonObject(right) ? mergeProperties(left, right) : right;
    case "required":
      return [...new Set([...list(left), ...list(right)])];
    case "enum":
      return list(left).filter((value) => list(right).some((other) => same(value, other)));
    case "type":
      return commonTypes(list(left), list(right));
    case "allOf":
      return [...list(left), ...list(right)];
    case "minimum":
    case "exclusiveMinimum":
    case "minLength":
    case "minItems":
      return Math.max(Number(left), Number(right));
    case "maximum":
    case "exclusiveMaximum":
    case "maxLength":
    case "maxItems":
      return Math.min(Number(left), Number(right));
    case "additionalProperties":
    case "items":
      return isJsonObject(left) && isJsonObject(right) ? { allOf: [left, right] } : left === false ? left : right;
    default:
      return right;
  }
}

function mergeProperties(left: JsonObject, right: JsonObject): JsonObject {
  const merged: Record<string, unknown> = { ...left };
  for (const [name, schema] of Object.entries(right)) {
    const other = left[name];
    merged[name] = isJsonObject(other) && isJsonObject(schema) ? { allOf: [other, schema] } : schema;
  }
  return merged;
}

function commonTypes(left: readonly unknown[], right: readonly unknown[]): readonly unknown[] {
  const accepts = (types: readonly unknown[], type: unknown) =>
    types.includes(type) || (type === "integer" && types.includes("number"));
  return [...new Set([...left.filter((type) => accepts(right, type)), ...right.filter((type) => accepts(left, type))])];
}

const same = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right);

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);
