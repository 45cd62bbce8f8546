import type { Key, Plan, SpendLimit, SpendState } from "../api/answers.ts";
import { countText } from "./figures.ts";
import { Facts } from "./layout.tsx";
import { Money, Time } from "./values.tsx";

/** The limits that apply to each key: its `own`, and those of its plan where it has none. */
export function LimitFacts({ own, plan }: { readonly own: Key["limits"]; readonly plan: Plan | undefined }) {
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

const windowText = ({ limit, window_seconds: seconds }: { readonly limit: number; readonly window_seconds: number }) =>
  `${countText(limit)} in ${seconds === 60 ? "a minute" : `${countText(seconds)} s`}`;

const windows: Readonly<Record<SpendLimit["window"], string>> = {
  day: "a day",
  week: "a week",
  month: "a month",
  total: "in total",
};

/** A spend limit as "$50.00 a month"; a dash for none. */
export function SpendLimitText({ limit }: { readonly limit: SpendLimit | null }) {
  if (limit === null) return <span class="muted">–</span>;
  return (
    <>
      <Money amount={limit.limit} /> {windows[limit.window]}
      {limit.timezone != null && limit.timezone !== "UTC" && <span class="muted"> {limit.timezone}</span>}
    </>
  );
}

/** A spend limit with what was spent of it, as words and as a bar. */
export function SpendMeter({ state }: { readonly state: SpendState | null }) {
  if (state === null) return <span class="muted">No limit</span>;
  const share = Number(state.limit) === 0 ? 1 : Math.min(1, Number(state.spent) / Number(state.limit));
  return (
    <div class="stack tight">
      <span>
        <Money amount={state.spent} /> of <SpendLimitText limit={state} />
        {state.source === "plan" && <span class="muted"> · from the plan</span>}
      </span>
      <div class={share >= 1 ? "meter full" : "meter"} aria-hidden="true">
        <div style={{ width: `${(share * 100).toFixed(1)}%` }} />
      </div>
      {state.resets_at !== null && (
        <span class="muted">
          Resets <Time at={state.resets_at} />
        </span>
      )}
    </div>
  );
}
