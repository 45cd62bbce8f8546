import { isJsonObject } from "@tollgate/core/extension";
import type { Json } from "@tollgate/core/provider";
import * as v from "valibot";
import type { AssistantConfig, TriggerConfig } from "../definition/assistant-config.ts";
import { assistantSchema, triggerSchema } from "./assistant-schema.ts";
import { isUnknownMember } from "./members.ts";

/** A configuration whose members were checked one by one. References between them were not. */
export interface ConfigReading {
  /** Each has its path: "triggers.0.name: ...". */
  readonly problems: readonly string[];
  /** A copy of the configuration; undefined when there are problems. */
  readonly config: AssistantConfig | undefined;
  /** The triggers by index; undefined for one with problems. */
  readonly triggers: readonly (TriggerConfig | undefined)[];
  readonly secrets: Readonly<Record<string, string>>;
}

/** Checks the members of a configuration, in code or from JSON. An undefined member counts as absent. */
export function readConfig(value: unknown): ConfigReading {
  const copy = copyOf(value);
  const unknown: string[] = [];
  for (;;) {
    const result = v.safeParse(assistantSchema, copy);
    const issues = result.issues ?? [];
    const removable = issues.filter(isUnknownMember);
    unknown.push(...removable.map(problemOf));
    if (removable.length === 0) {
      const problems = [...unknown, ...issues.map(problemOf)];
      const config = result.success && problems.length === 0 ? result.output : undefined;
      return { problems, config, ...partsOf(copy) };
    }
    // The schema reports one unknown member per object, so reported ones are removed before the next pass.
    removable.forEach(remove);
  }
}

/** Copies a value through JSON; undefined when it cannot be JSON. */
function copyOf(value: unknown): Json | undefined {
  try {
    return JSON.parse(JSON.stringify(value));
  } catch {
    return undefined;
  }
}

function partsOf(copy: Json | undefined): Pick<ConfigReading, "triggers" | "secrets"> {
  const { triggers, secrets } = isJsonObject(copy) ? copy : {};
  return {
    triggers: Array.isArray(triggers) ? triggers.map((each) => (v.is(triggerSchema, each) ? each : undefined)) : [],
    secrets: v.is(v.record(v.string(), v.string()), secrets) ? secrets : {},
  };
}

function remove(issue: v.BaseIssue<unknown>): void {
  const last = issue.path?.at(-1);
  if (last !== undefined && "input" in last) Reflect.deleteProperty(Object(last.input), String(last.key));
}

function problemOf(issue: v.BaseIssue<unknown>): string {
  const path = issue.path?.map(({ key }) => String(key)).join(".");
  const sentence = /[.?]$/.test(issue.message) ? issue.message : `${issue.message}.`;
  return path === undefined ? `The configuration ${sentence}` : `${path}: ${sentence}`;
}
