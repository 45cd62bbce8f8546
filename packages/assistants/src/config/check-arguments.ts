import type { CheckedArguments } from "../definition/assistant.ts";
import { readArguments } from "./arguments-text.ts";
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
