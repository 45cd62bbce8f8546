import * as v from "valibot";
import type { Json } from "../wire/json.ts";
import type { AssistantConfig } from "./assistant-config.ts";
import { assistantSchema } from "./assistant-schema.ts";
import { isUnknownMember } from "./members.ts";

/** A configuration of the right shape, or all that is wrong with it, each with its path: "triggers.0.name: ...". */
export type ConfigReading = { readonly config: AssistantConfig } | { readonly problems: readonly string[] };

/**
 * A copy of a configuration as JSON, checked member by member; names that refer to one another are not looked up.
 * A member that is undefined counts as absent.
 */
export function readConfig(value: unknown): ConfigReading {
  const copy = copyOf(value);
  if (copy === undefined) return { problems: ["must be an object of plain JSON values. Give an assistant's configuration."] };
  const unknown: string[] = [];
  for (;;) {
    const result = v.safeParse(assistantSchema, copy);
    if (result.success && unknown.length === 0) return { config: result.output };
    const issues = result.issues ?? [];
    const removable = issues.filter(isUnknownMember);
    unknown.push(...removable.map(problemOf));
    // One unknown member of each object is told at a time, so those told are taken out of the copy to see the next.
    if (removable.length === 0) return { problems: [...unknown, ...issues.map(problemOf)] };
    removable.forEach(remove);
  }
}

function copyOf(value: unknown): Json | undefined {
  try {
    return JSON.parse(JSON.stringify(value));
  } catch {
    return undefined;
  }
}

function remove(issue: v.BaseIssue<unknown>): void {
  const last = issue.path?.at(-1);
  if (last !== undefined && "input" in last) Reflect.deleteProperty(Object(last.input), String(last.key));
}

function problemOf(issue: v.BaseIssue<unknown>): string {
  const path = issue.path?.map(({ key }) => String(key)).join(".");
  const sentence = /[.?]$/.test(issue.message) ? issue.message : `${issue.message}.`;
  return path === undefined ? sentence : `${path}: ${sentence}`;
}
