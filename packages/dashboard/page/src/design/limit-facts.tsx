import type { Limits, Plan, WindowLimit } from "../api/keys.ts";
import { Facts } from "./facts.tsx";
import { countText } from "./figures.ts";

interface LimitFactsProps {
  /** The limits of a key. A limit of its plan applies where it has none of its own. */
  readonly own: Limits | null;
  readonly plan: Plan | undefined;
}

/** The limits that apply to each key, with those that come from the plan. */
export function LimitFacts({ own, plan }: LimitFactsProps) {
  const ofPlan = plan?.limits ?? null;
  const limitOf = <Limit,>(ofKey: Limit | null, inPlan: Limit | null, text: (limit: Limit) => string) => {
    if (ofKey !== null) return text(ofKey);
    if (inPlan === null) return <span class="muted">No limit</span>;
    return (
      <>
        {text(inPlan)} <span class="muted">· from the plan {plan?.id}</span>
      </>
    );
  };
  return (
    <Facts
      facts={[
        ["Requests", limitOf(own?.requests ?? null, ofPlan?.requests ?? null, windowText)],
        ["Tokens", limitOf(own?.tokens ?? null, ofPlan?.tokens ?? null, windowText)],
        ["At once", limitOf(own?.concurrency ?? null, ofPlan?.concurrency ?? null, concurrencyText)],
      ]}
    />
  );
}

const concurrencyText = (most: number): string => `${countText(most)} requests`;

const windowText = ({ limit, window_seconds: seconds }: WindowLimit): string =>
  `${countText(limit)} in ${seconds === 60 ? "a minute" : `${countText(seconds)} s`}`;
