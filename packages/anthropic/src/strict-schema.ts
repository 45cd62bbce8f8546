import { isPlainObject } from "@tollgate/core/internal";
import { type JsonObject, writeLosslessJson } from "@tollgate/core/provider";

/**
 * Returns a JSON Schema in the form that strict output accepts, or undefined if it has none: a schema that contains itself,
 * an object with members that are not named, a reference to another document, or one within `allOf`. Keywords that are not accepted go into the
 * description of their schema, and every object is closed.
 * Follows https://platform.claude.com/docs/en/build-with-claude/structured-outputs#json-schema-limitations
 */
const toStrictSchema = (schema: JsonObject): JsonObject | undefined =>
  new References(schema).areStrict(schema) ? toStrict(schema) : undefined;

const one = (value: unknown): unknown => (isPlainObject(value) ? toStrict(value) : value);
const list = (value: unknown): unknown => (Array.isArray(value) ? value.map(one) : one(value));
const byName = (value: unknown): unknown =>
  isPlainObject(value) ? Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, one(schema)])) : value;

/** The accepted keywords that hold schemas. */
const nested: ReadonlyMap<string, (value: unknown) => unknown> = new Map([
  ["properties", byName],
  ["$defs", byName],
  ["definitions", byName],
  ["items", list],
  ["anyOf", list],
  ["allOf", list],
]);

const accepted: ReadonlySet<string> = new Set(["type", "title", "required", "default", "$ref"]);
/** Keywords that restrict nothing, or that are written anew. */
const leftOut: ReadonlySet<string> = new Set(["$schema", "$id", "description", "additionalProperties"]);
const formats: ReadonlySet<unknown> = new Set(
  "date-time time date duration email hostname uri ipv4 ipv6 uuid".split(" "),
);
/** Parts of regular expressions that are not accepted: look-around, back references and word boundaries. */
const richPattern = /\(\?(?:[=!]|<[=!])|\\[1-9bBk]/;

const isPlain = (value: unknown): boolean => !isPlainObject(value) && !Array.isArray(value);

function isAccepted(keyword: string, value: unknown): boolean {
  if (keyword === "minItems") return Number(value) <= 1;
  if (keyword === "format") return formats.has(value);
  if (keyword === "pattern") return typeof value === "string" && !richPattern.test(value);
  if (keyword === "enum") return Array.isArray(value) && value.every(isPlain);
  return accepted.has(keyword) || (keyword === "const" && isPlain(value));
}

function toStrict(schema: JsonObject): JsonObject {
  const members: [string, unknown][] = [];
  const moved: string[] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    // Alternatives are accepted under one name only, and a reference stands for all that is beside it.
    const name = keyword === "oneOf" && schema["anyOf"] === undefined ? "anyOf" : keyword;
    const map = nested.get(name);
    if (map !== undefined) members.push([name, map(value)]);
    else if (isAccepted(keyword, value)) members.push([keyword, value]);
    else if (!leftOut.has(keyword)) moved.push(`${keyword}: ${writeLosslessJson(value)}`);
  }
  const texts = [schema["description"], moved.length === 0 ? "" : `{${moved.join(", ")}}`];
  const description = texts.filter((text) => typeof text === "string" && text !== "").join("\n\n");
  if (description !== "" && schema["$ref"] === undefined) members.push(["description", description]);
  if (isOfObject(schema)) members.push(["additionalProperties", false]);
  return Object.fromEntries(members);
}

const isOfObject = ({ type, properties }: JsonObject): boolean =>
  type === "object" || (Array.isArray(type) && type.includes("object")) || isPlainObject(properties);

/** Follows the references of one document. Each is followed once. */
class References {
  readonly #root: JsonObject;
  readonly #open = new Set<string>();
  readonly #strict = new Set<string>();

  constructor(root: JsonObject) {
    this.#root = root;
  }

  /** Returns false for a schema that strict output cannot express. */
  areStrict(schema: JsonObject): boolean {
    const { $ref: reference, additionalProperties: others, patternProperties: patterns, properties } = schema;
    // Once closed, an object whose members are not named would have none.
    if (isPlainObject(others) || isPlainObject(patterns) || (others === true && !isPlainObject(properties)))
      return false;
    if (typeof reference === "string" && !this.#isStrict(reference)) return false;
    if ([schema["allOf"]].flat().some((each) => isPlainObject(each) && each["$ref"] !== undefined)) return false;
    return innerSchemas(schema).every((inner) => this.areStrict(inner));
  }

  #isStrict(reference: string): boolean {
    if (this.#strict.has(reference)) return true;
    const target = this.#open.has(reference) ? undefined : this.#resolve(reference);
    if (target === undefined) return false;
    this.#open.add(reference);
    const isStrict = this.areStrict(target);
    this.#open.delete(reference);
    if (isStrict) this.#strict.add(reference);
    return isStrict;
  }

  #resolve(reference: string): JsonObject | undefined {
    const [start, ...names] = reference.split("/");
    let at: unknown = start === "#" ? this.#root : undefined;
    for (const name of names) {
      at = isPlainObject(at) ? at[name.replaceAll("~1", "/").replaceAll("~0", "~")] : undefined;
    }
    return isPlainObject(at) ? at : undefined;
  }
}

function innerSchemas({ properties, items, anyOf, oneOf, allOf }: JsonObject): readonly JsonObject[] {
  const named = isPlainObject(properties) ? Object.values(properties) : [];
  return [named, items, anyOf, oneOf, allOf].flat().filter(isPlainObject);
}

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

/** Counts the parameters that are not required, and the schemas that are unions. A definition counts once. */
function countParameters(schema: JsonObject): { readonly optional: number; readonly unions: number } {
  const { type, properties, required, anyOf, allOf, items, $defs, definitions } = schema;
  const names = Array.isArray(required) ? new Set<unknown>(required) : new Set();
  let optional = isPlainObject(properties) ? Object.keys(properties).filter((name) => !names.has(name)).length : 0;
  let unions = Array.isArray(anyOf) || Array.isArray(type) ? 1 : 0;
  const named = [properties, $defs, definitions].filter(isPlainObject).flatMap((schemas) => Object.values(schemas));
  for (const inner of [named, anyOf, allOf, items].flat().filter(isPlainObject)) {
    const counts = countParameters(inner);
    optional += counts.optional;
    unions += counts.unions;
  }
  return { optional, unions };
}
