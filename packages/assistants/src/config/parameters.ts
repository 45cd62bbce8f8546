import { dereference, type Schema, Validator } from "@cfworker/json-schema";
import { isJsonObject } from "@tollgate/core/extension";
import type { JsonMembers, JsonObject } from "@tollgate/core/provider";
import { exactViolations } from "./exact-violations.ts";
import { appliedTogether, declaredProperties, hasCycle, type SchemaLookup } from "./parameters-graph.ts";
import { parametersMetaSchema } from "./parameters-meta-schema.ts";
import { toPlainNumbers } from "./plain-numbers.ts";
import { type Violation, violationsOf } from "./violations.ts";

/** The parameters of a trigger, compiled to validate arguments. */
export interface Parameters {
  /** The names that the schema declares. */
  readonly properties: readonly string[];
  validate(value: JsonMembers): readonly Violation[];
}

/** The parameters; or the problems of their schema, each with its path in it: ".properties.size.type: ...". */
export type ParametersReading = { readonly parameters: Parameters } | { readonly problems: readonly string[] };

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
  return problems.length > 0 ? { problems } : { parameters: { properties, validate: validatorOf(schema, lookup) } };
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

function validatorOf(schema: Schema & JsonObject, lookup: SchemaLookup): Parameters["validate"] {
  const draft = /draft-0[67]/.test(String(schema.$schema)) ? "7" : "2020-12";
  const validator = new Validator(schema, draft, false);
  return (value) => {
    const plain = toPlainNumbers(value);
    const violations = violationsOf(validator.validate(plain).errors);
    return violations.length > 0 || plain === value ? violations : exactViolations(schema, lookup, value);
  };
}

const dotted = (pointer: string): string => pointer.replaceAll("/", ".").replaceAll("~1", "/").replaceAll("~0", "~");
