import type { ModelTarget } from "../../api/models.ts";
import { Badge, type Tone } from "../../design/badge.tsx";

type Breaker = ModelTarget["breaker"];

const states: Readonly<Record<Breaker, readonly [Tone, string]>> = {
  closed: ["good", "Closed"],
  half_open: ["warning", "Half open"],
  open: ["bad", "Open"],
};

/** The state of a circuit breaker. A closed one lets requests through. */
export function BreakerBadge({ state }: { readonly state: Breaker }) {
  const [tone, word] = states[state];
  return <Badge tone={tone}>{word}</Badge>;
}

/** Returns the worst state of the targets' breakers. */
export function worstBreaker(targets: readonly ModelTarget[]): Breaker {
  const found = new Set(targets.map(({ breaker }) => breaker));
  return found.has("open") ? "open" : found.has("half_open") ? "half_open" : "closed";
}
