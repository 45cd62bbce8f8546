import type { RequestRow } from "../api/answers.ts";
import { texts } from "../texts.ts";

/** The meaning of a state's colour. */
export type Tone = "good" | "warning" | "bad" | "neutral";

/** A state as a word with a dot in its colour. */
export function Badge({ tone, children }: { readonly tone: Tone; readonly children: string }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}

/** The words of an ending other than "complete". */
const endings: Readonly<Record<string, string>> = texts.endings;

/** The status of a response with how it ended. */
export function RequestState({ status, ending }: Pick<RequestRow, "status" | "ending">) {
  const ended: string | undefined = endings[ending];
  return <Badge tone={toneOf(status, ending)}>{ended === undefined ? String(status) : `${status} ${ended}`}</Badge>;
}

function toneOf(status: number, ending: string): Tone {
  if (status >= 500 || ending === "upstream_failed") return "bad";
  return status >= 400 || ending === "client_gone" ? "warning" : "good";
}

/** The tones of the states of keys, and of circuit breakers: a closed one lets requests through. */
const tones = {
  active: "good",
  expired: "neutral",
  revoked: "bad",
  closed: "good",
  half_open: "warning",
  open: "bad",
} as const;

/** The state of a key or of a circuit breaker. */
export function StateBadge({ state }: { readonly state: keyof typeof tones }) {
  return <Badge tone={tones[state]}>{texts.states[state]}</Badge>;
}

const names: Readonly<Record<string, string>> = {
  rejected: "parameter refused",
  context_length: "prompt too long",
  too_large: "request too large",
  credentials: "credentials or model refused",
  failed: "server error",
  overloaded: "overloaded",
  unreachable: "unreachable",
  timeout: "timeout",
  invalid_response: "invalid answer",
  ended: "request ended",
};

/** Names a class of failures of attempts. */
export const failureName = (failure: string): string => names[failure] ?? failure;
