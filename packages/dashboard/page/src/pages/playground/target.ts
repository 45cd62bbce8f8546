import type { Assistant } from "../../api/assistants.ts";
import type { Plan } from "../../api/keys.ts";
import type { Model } from "../../api/models.ts";

/** What the host configures. */
export interface PlaygroundChoices {
  readonly models: readonly Model[];
  readonly plans: readonly Plan[];
  readonly assistants: readonly Assistant[];
}

/** Whom the playground talks to, as which customer. */
export interface PlaygroundTarget {
  readonly mode: "model" | "assistant";
  /** The id of the model or assistant. */
  readonly id: string;
  readonly account: string;
  readonly plan: string;
}

/** What is missing before a message can be sent. */
export function missingPart({ mode, id, account, plan }: PlaygroundTarget): string | undefined {
  if (account === "") return "Name the account that pays.";
  if (plan === "") return "Choose a plan.";
  return id === "" ? `Choose ${mode === "model" ? "a model" : "an assistant"}.` : undefined;
}
