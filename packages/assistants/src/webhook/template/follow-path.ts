import { isJsonList, isJsonMembers } from "@tollgate/core/extension";
import type { Json } from "@tollgate/core/provider";
import { stepAt } from "./grammar.ts";
import { ownItem, ownMember } from "./own-value.ts";

/** The value of a path, and where the path ends in the text. */
export interface Reached {
  readonly value: Json | undefined;
  readonly end: number;
}

/** Follows the path at a position of a text into a value, as far as own members exist. */
export function followPath(value: Json | undefined, text: string, at: number): Reached {
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
