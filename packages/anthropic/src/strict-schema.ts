import { type JsonObject, writeLosslessJson } from "@tollgate/core/provider";
import { isJsonObject } from "./json-object.ts";

/**
 * Returns a JSON Schema in the form that strict output accepts, or undefined if it has none: a schema that contains itself,
 * an object with members that are not named, a reference to another document, or one within `allOf`. Keywords that are not accepted go into the
 * description of their schema, and every object is closed.
 * Follows https://platform.claude.com/docs/en/build-with-claude/structured-outputs#json-schema-limitations
 */
export const toStrictSchema = (schema: JsonObject): JsonObject | undefined =>
  new References(schema).areStrict(schema) ? toStrict(schema) : undefined;

const one = (value: unknown): unknown => (isJsonObject(value) ? toStrict(value) : value);
const list = (value: unknown): unknown => (Array.isArray(value) ? value.map(one) : one(value));
const byName = (value: unknown): unknown =>
  isJsonObject(value) ? Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, one(schema)])) : value;

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

const isPlain = (value: unknown): boolean => !isJsonObject(value) && !Array.isArray(value);

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
  type === "object" || (Array.isArray(type) && type.includes("object")) || isJsonObject(properties);

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
    if (isJsonObject(others) || isJsonObject(patterns) || (others === true && !isJsonObject(properties))) return false;
    if (typeof reference === "string" && !this.#isStrict(reference)) return false;
    if ([schema["allOf"]].flat().some((each) => isJsonObject(each) && each["$ref"] !== undefined)) return false;
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
      at = isJsonObject(at) ? at[name.replaceAll("~1", "/").replaceAll("~0", "~")] : undefined;
    }
    return isJsonObject(at) ? at : undefined;
  }
}

function innerSchemas({ properties, items, anyOf, oneOf, allOf }: JsonObject): readonly JsonObject[] {
  const named = isJsonObject(properties) ? Object.values(properties) : [];
  return [named, items, anyOf, oneOf, allOf].flat().filter(isJsonObject);
}
