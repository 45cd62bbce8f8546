import { isJsonList, isJsonMembers } from "@tollgate/core/extension";
import type { Json } from "@tollgate/core/provider";
import { explicitAt, identifierAt, isLetterAt, stepAt } from "./grammar.ts";
import type { Scope } from "./scope.ts";
import { ownItem, ownMember } from "./scope.ts";

const dollar = 0x24;
const brace = 0x7b;

/** The meaning of a `$`, and the end of its text. The value of an unknown variable, or of one without a value, is `undefined`. */
export type Reference =
  | { readonly kind: "dollar"; readonly end: number }
  | { readonly kind: "variable"; readonly value: Json | undefined; readonly end: number };

/** Parses the reference at the `$` at position `at`. A name without braces ends by `limit`. */
export function readReference(text: string, at: number, scope: Scope, limit = text.length): Reference {
  const start = at + 1;
  const next = text.charCodeAt(start);
  if (next === dollar) return { kind: "dollar", end: start + 1 };
  if (next === brace) return readExplicit(text, at, scope);
  if (!isLetterAt(text, start)) return { kind: "dollar", end: start };
  const name = scope.nameAt(text, start, limit) ?? identifierAt(text, start);
  const { value, end } = followPath(scope.use(name), text, start + name.length);
  return { kind: "variable", value, end };
}

function readExplicit(text: string, at: number, scope: Scope): Reference {
  const explicit = explicitAt(text, at);
  if (explicit === undefined) return { kind: "dollar", end: at + 1 };
  return { kind: "variable", value: readWhole(explicit.words, scope), end: explicit.end };
}

/** Returns the value of the longest name that, alone or with a path, makes up the whole text. */
function readWhole(words: string, scope: Scope): Json | undefined {
  const names = scope.namesIn(words);
  const leading = names.find((name) => followPath(scope.peek(name), words, name.length).end === words.length);
  if (leading === undefined) return scope.markUnresolved(words);
  return followPath(scope.use(leading), words, leading.length).value;
}

/** The value of a path, and where the path ends in the text. */
interface Reached {
  readonly value: Json | undefined;
  readonly end: number;
}

/** Follows the path at a position of a text into a value, as far as own members exist. */
function followPath(value: Json | undefined, text: string, at: number): Reached {
  let reached: Reached = { value, end: at };
  for (;;) {
    const next = takeStep(reached, text);
    if (next === undefined) return reached;
    reached = next;
  }
}

function takeStep({ value, end }: Reached, text: string): Reached | undefined {
  if (!isJsonList(value) && !isJsonMembers(value)) return undefined;
  const step = stepAt(text, end);
  if (step === undefined) return undefined;
  const member = isJsonList(value) ? ownItem(value, step.index) : ownMember(value, step.key);
  return member === undefined ? undefined : { value: member, end: step.end };
}
