import { byteLength, hasHugeExponent, isJsonList, isJsonMembers } from "@tollgate/core/extension";
import { isLosslessNumber, type Json, type JsonMembers, parseLosslessJson } from "@tollgate/core/provider";
import type { CheckedArguments } from "../definition/assistant.ts";
import type { Parameters } from "./parameters.ts";
import type { Violation } from "./violations.ts";

const maxViolations = 5;

/**
 * Checks the arguments of a tool call against the parameters of a trigger. Undeclared names are dropped first. Types are
 * not coerced, and defaults are not filled in.
 */
export function checkArguments(parameters: Parameters, text: string): CheckedArguments {
  const read = readArguments(text);
  if ("problem" in read) return { outcome: "invalid", problem: read.problem };
  const declared = new Set(parameters.properties);
  const declaredArguments = Object.fromEntries(Object.entries(read.arguments).filter(([name]) => declared.has(name)));
  const violations = parameters.validate(declaredArguments);
  return violations.length === 0
    ? { outcome: "valid", arguments: declaredArguments }
    : { outcome: "invalid", problem: sentence(violations) };
}

function sentence(violations: readonly Violation[]): string {
  const listed = violations.slice(0, maxViolations).map(({ pointer, expected }) => `At "${pointer}": ${expected}`);
  const more = violations.length - listed.length;
  return [
    "The arguments do not match the schema of the parameters.",
    ...listed,
    ...(more > 0 ? [`There are ${more} more violations.`] : []),
    "Correct them and call again.",
  ].join(" ");
}

const max = { bytes: 65_536, depth: 32, values: 2_048 } as const;

/** The parsed arguments; or the problem with them, as a sentence that tells the model what to do. */
type ArgumentsReading = { readonly arguments: JsonMembers } | { readonly problem: string };

/**
 * Parses the JSON text of a tool call's arguments: at most 65,536 bytes, 32 levels and 2,048 values. An empty text, which
 * some models send when there are no arguments, is read as an empty object.
 */
function readArguments(text: string): ArgumentsReading {
  if (text.length > max.bytes || byteLength(text) > max.bytes) {
    return { problem: `The arguments are larger than ${max.bytes} bytes. Send shorter ones.` };
  }
  const value = parse(text);
  if (!isJsonMembers(value)) {
    return { problem: "The arguments are not a JSON object. Send a JSON object and nothing else." };
  }
  const problem = check(value);
  return problem === undefined ? { arguments: value } : { problem };
}

function parse(text: string): Json | undefined {
  try {
    return text.trim() === "" ? {} : parseLosslessJson(text);
  } catch {
    return undefined;
  }
}

/** Checks a value and those nested in it, level by level. JSON.parse accepts any depth, so recursion could overflow the stack. */
function check(root: Json): string | undefined {
  let level: readonly Json[] = [root];
  let count = 0;
  for (let depth = 0; level.length > 0; depth++) {
    count += level.length;
    if (count > max.values) return `The arguments hold more than ${max.values} values. Send fewer.`;
    if (depth >= max.depth && level.some(isNested)) {
      return `The arguments are nested more than ${max.depth} levels deep. Flatten them.`;
    }
    const problem = level.map(checkOne).find((found) => found !== undefined);
    if (problem !== undefined) return problem;
    level = level.filter(isNested).flatMap((value) => Object.values(value));
  }
  return undefined;
}

const isNested = (value: Json): value is readonly Json[] | JsonMembers => isJsonList(value) || isJsonMembers(value);

function checkOne(value: Json): string | undefined {
  if (isLosslessNumber(value) && hasHugeExponent(value)) {
    return "The arguments hold a number that is too large or too close to 0. Send another.";
  }
  if (isJsonMembers(value) && Object.keys(value).some((name) => /\p{Cs}/u.test(name))) {
    return "The arguments hold a name with half of a surrogate pair. Send well-formed Unicode.";
  }
  return undefined;
}
