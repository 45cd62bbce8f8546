import { signal } from "@preact/signals";
import type { Assistant, Model, Plan } from "../../api/answers.ts";

/** A message of the playground. */
export interface Turn {
  readonly role: "user" | "assistant";
  readonly text: string;
}

/** The figures of the last answer. Times are in milliseconds. */
interface AnswerFigures {
  readonly requestId: string | undefined;
  readonly firstContentMs: number | undefined;
  readonly durationMs: number;
  readonly inputTokens: number | undefined;
  readonly outputTokens: number | undefined;
}

/** What the playground sends. It outlives the page, so that one can look something up and come back. */
export const draft = {
  system: signal(""),
  temperature: signal(""),
  maxTokens: signal(""),
  /** The client data with which a session is created, as a JSON object. */
  clientData: signal("{}"),
  message: signal(""),
  turns: signal<readonly Turn[]>([]),
  figures: signal<AnswerFigures | undefined>(undefined),
  /** The session of an assistant, after its first message. */
  session: signal<string | undefined>(undefined),
};

/** Begins a new conversation. */
export function startAgain(): void {
  draft.turns.value = [];
  draft.figures.value = undefined;
  draft.session.value = undefined;
}

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
