import { dereference, type Schema, Validator } from "@cfworker/json-schema";
import { isJsonObject } from "@tollgate/core/extension";
import { type JsonMembers, type JsonObject, writeLosslessJson } from "@tollgate/core/provider";
import { parametersMetaSchema } from "./parameters-meta-schema.ts";
import { type Violation, violationsOf } from "./violations.ts";

/** The parameters of a trigger, compiled to validate arguments. */
export interface Parameters {
  /** The names that the schema declares. */
  readonly properties: readonly string[];
  /** Checks exact numbers as the nearest JavaScript numbers. */
  validate(value: JsonMembers): readonly Violation[];
}

/** The parameters; or the problems of their schema, each with its path in it: ".properties.size.type: ...". */
type ParametersReading = { readonly parameters: Parameters } | { readonly problems: readonly string[] };

const metaSchema = new Validator(parametersMetaSchema, "2020-12", false);

/** Parses a JSON Schema of draft 2020-12, or of draft-07 if its `$schema` says so. */
export function readParameters(config: JsonObject): ParametersReading {
  try {
    return read(config);
  } catch (fault) {
    // Causes: an invalid URI, a duplicate schema, a name that is not well-formed, or too deep nesting.
    const reason = fault instanceof RangeError ? "it is nested too deeply" : String(fault);
    return { problems: [`: cannot be parsed as a JSON Schema: ${reason}. Write a simpler one.`] };
  }
}

function read(config: JsonObject): ParametersReading {
  const broken = violationsOf(metaSchema.validate(config).errors);
  if (broken.length > 0) {
    return {
      problems: broken.map(({ pointer, expected }) => `${dotted(pointer)}: is not a valid JSON Schema. ${expected}`),
    };
  }
  // The validator changes the schema that is passed to it.
  const schema: Schema & JsonObject = structuredClone(config);
  const lookup = dereference(schema);
  const schemas = Object.values(lookup).filter(isJsonObject);
  const properties = declaredProperties(schema, lookup);
  const problems = [
    ...schemas.flatMap((each) => checkReferences(each, lookup)),
    ...(hasCycle(lookup)
      ? [": has a $ref that refers to itself for the same value. Let it refer to the schema of a member."]
      : []),
    ...checkRequired(schema, properties),
    ...checkDraft(schema),
  ];
  schemas.forEach(avoidSlowFormat);
  return problems.length > 0 ? { problems } : { parameters: { properties, validate: validatorOf(schema) } };
}

function checkReferences(schema: JsonObject, lookup: SchemaLookup): string[] {
  if (schema["$dynamicRef"] !== undefined || schema["$recursiveRef"] !== undefined) {
    return [": uses $dynamicRef or $recursiveRef, which are not supported. Use $ref."];
  }
  if (!appliedTogether(schema, lookup).includes(undefined)) return [];
  return [
    `: has the $ref "${String(schema["$ref"])}", whose target does not exist. Define the target in the same schema, under $defs.`,
  ];
}

function checkRequired(schema: JsonObject, properties: readonly string[]): string[] {
  const required: readonly unknown[] = Array.isArray(schema["required"]) ? schema["required"] : [];
  return required
    .filter((name) => typeof name !== "string" || !properties.includes(name))
    .map(
      (name) =>
        `.required: names "${String(name)}", which its properties do not declare. Declare it, or do not require it.`,
    );
}

function checkDraft(schema: JsonObject): string[] {
  if (!/draft-0[34]/.test(String(schema["$schema"]))) return [];
  return [".$schema: is of a draft that is not supported. Write the schema for draft 2020-12."];
}

/** The validator's regular expression for `url`, a format that no draft defines, takes exponential time. */
function avoidSlowFormat(schema: JsonObject): void {
  if (schema["format"] === "url") Object.assign(schema, { format: "uri" });
}

function validatorOf(schema: Schema & JsonObject): Parameters["validate"] {
  const draft = /draft-0[67]/.test(String(schema.$schema)) ? "7" : "2020-12";
  const validator = new Validator(schema, draft, false);
  return (value) => violationsOf(validator.validate(JSON.parse(writeLosslessJson(value))).errors);
}

const dotted = (pointer: string): string => pointer.replaceAll("/", ".").replaceAll("~1", "/").replaceAll("~0", "~");

/** All subschemas of a schema by absolute URI, as `dereference` of the validator returns them. */
type SchemaLookup = Readonly<Record<string, unknown>>;

/**
 * Returns the schemas that apply to the same value as `schema`: those of its `$ref`, `allOf` and so on. Undefined
 * represents a `$ref` whose target does not exist.
 */
function appliedTogether(schema: JsonObject, lookup: SchemaLookup): (JsonObject | undefined)[] {
  const lists = [schema["allOf"], schema["anyOf"], schema["oneOf"]].filter(Array.isArray).flat();
  const single = [schema["if"], schema["then"], schema["else"], schema["not"]];
  const dependent = [schema["dependentSchemas"], schema["dependencies"]].filter(isJsonObject).flatMap(Object.values);
  return [...[...lists, ...single, ...dependent].filter(isJsonObject), ...referenced(schema, lookup)];
}

/** Returns the names that `schema`, and those that apply to the same value, declare as `properties`. */
function declaredProperties(root: JsonObject, lookup: SchemaLookup): string[] {
  const seen = new Set([root]);
  const names = new Set<string>();
  for (const schema of seen) {
    const declared = isJsonObject(schema["properties"]) ? schema["properties"] : {};
    for (const name of Object.keys(declared)) names.add(name);
    for (const next of appliedTogether(schema, lookup)) if (next !== undefined) seen.add(next);
  }
  return [...names];
}

/** True when a schema refers to itself for the same value, so that validation would never end. */
function hasCycle(lookup: SchemaLookup): boolean {
  const done = new Set<JsonObject>();
  const open = new Set<JsonObject>();
  const reachesItself = (schema: JsonObject): boolean => {
    if (open.has(schema)) return true;
    if (done.has(schema)) return false;
    open.add(schema);
    const found = appliedTogether(schema, lookup).some((next) => next !== undefined && reachesItself(next));
    open.delete(schema);
    done.add(schema);
    return found;
  };
  return Object.values(lookup).filter(isJsonObject).some(reachesItself);
}

function referenced(schema: JsonObject, lookup: SchemaLookup): (JsonObject | undefined)[] {
  const uri = schema["__absolute_ref__"];
  if (typeof uri !== "string") return [];
  const target = lookup[uri];
  return typeof target === "boolean" ? [] : [isJsonObject(target) ? target : undefined];
}
