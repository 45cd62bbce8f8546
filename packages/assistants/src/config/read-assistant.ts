import { isJsonObject } from "@tollgate/core/extension";
import type { Assistant } from "../definition/assistant.ts";
import type { AssistantConfig } from "../definition/assistant-config.ts";
import { Redactor } from "../redaction/redactor.ts";
import { describeAssistant } from "./describe-assistant.ts";
import { type ConfigReading, readConfig } from "./read-config.ts";
import { readTrigger } from "./read-trigger.ts";

/**
 * An assistant with a copy of its configuration; or all problems of the configuration. Each has its path and says what to
 * do: "triggers.0.webhook.method: must be ...".
 */
export type AssistantReading =
  | { readonly assistant: Assistant; readonly config: AssistantConfig }
  | { readonly problems: readonly string[] };

/** Parses and checks the configuration of an assistant, in code or from JSON. Keeps no reference to it. */
export function readAssistant(value: unknown): AssistantReading {
  const { config, secrets, ...shape } = readConfig(value);
  const readings = shape.triggers.map((trigger) => trigger && readTrigger(trigger, secrets));
  const problems = [
    ...shape.problems,
    ...checkNames(shape.triggers),
    ...checkToolChoice(config),
    ...readings.flatMap((reading, index) =>
      reading !== undefined && "problems" in reading
        ? reading.problems.map((problem) => `triggers.${index}.${problem}`)
        : [],
    ),
  ];
  if (config === undefined || problems.length > 0) return { problems };
  const triggers = readings.flatMap((reading) =>
    reading !== undefined && "trigger" in reading ? [reading.trigger] : [],
  );
  const redactor = new Redactor(secrets);
  return {
    config,
    assistant: {
      id: config.id,
      companyId: config.companyId,
      model: config.model,
      instructions: config.instructions,
      settings: config.settings ?? {},
      triggers: new Map(triggers.map((trigger) => [trigger.name, trigger])),
      secrets,
      redactor,
      description: describeAssistant(config, redactor),
    },
  };
}

/** A tool choice that names no trigger would fail every turn. */
function checkToolChoice(config: AssistantConfig | undefined): string[] {
  const choice = config?.settings?.tool_choice;
  if (choice === undefined) return [];
  const names = config?.triggers?.map(({ name }) => name) ?? [];
  if (names.length === 0) return ["settings.tool_choice: has no effect without triggers. Remove it, or add a trigger."];
  const called = typeof choice === "object" ? choice["function"] : undefined;
  const name = isJsonObject(called) ? called["name"] : undefined;
  if (name === undefined || names.some((each) => each === name)) return [];
  return [`settings.tool_choice: names no trigger. Give the name of one: ${names.join(", ")}.`];
}

function checkNames(triggers: ConfigReading["triggers"]): string[] {
  const names = triggers.map((trigger) => trigger?.name);
  return names.flatMap((name, index) => {
    const first = names.indexOf(name);
    return name === undefined || first === index
      ? []
      : [`triggers.${index}.name: is also the name of triggers.${first}. Give each trigger a unique name.`];
  });
}
