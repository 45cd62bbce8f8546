import type { CheckedArguments } from "../definition/assistant.ts";
import { readArguments } from "./arguments-text.ts";
import type { Parameters } from "./parameters.ts";
import type { Violation } from "./violations.ts";

const mostTold = 5;

/**
 * Checks the arguments that a model wrote against the parameters of a trigger. Names that these do not declare are
 * dropped first; nothing is coerced and no default filled in.
 */
export function checkArguments(parameters: Parameters, text: string): CheckedArguments {
  const read = readArguments(text);
  if ("problem" in read) return { outcome: "invalid", problem: read.problem };
  const declared = new Set(parameters.properties);
  const given = Object.fromEntries(Object.entries(read.arguments).filter(([name]) => declared.has(name)));
  const violations = parameters.validate(given);
  return violations.length === 0
    ? { outcome: "valid", arguments: given }
    : { outcome: "invalid", problem: sentence(violations) };
}

function sentence(violations: readonly Violation[]): string {
  const told = violations.slice(0, mostTold).map(({ pointer, expected }) => `At "${pointer}": ${expected}`);
  const more = violations.length - told.length;
  return [
    "The arguments do not fit the schema of the parameters.",
    ...told,
    ...(more > 0 ? [`There are ${more} more violations.`] : []),
    "Correct them and call again.",
  ].join(" ");
}
