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
