import type { Key, Plan, SpendLimit, SpendState } from "../api/answers.ts";
import { fill, texts } from "../texts.ts";
import { countText } from "./figures.ts";
import { Facts } from "./layout.tsx";
import { Money, Time } from "./values.tsx";

/** The limits that apply to each key: its `own`, and those of its plan where it has none. */
export function LimitFacts({ own, plan }: { readonly own: Key["limits"]; readonly plan: Plan | undefined }) {
  const ofPlan = plan?.limits ?? null;
  const limitOf = <Limit,>(ofKey: Limit | null, inPlan: Limit | null, text: (limit: Limit) => string) => {
    if (ofKey !== null) return text(ofKey);
    if (inPlan === null) return <span class="muted">{texts.limits.none}</span>;
    return (
      <>
        {text(inPlan)} <span class="muted">{fill(texts.limits.ofPlan, { plan: plan?.id ?? "" })}</span>
      </>
    );
  };
  return (
    <Facts
      facts={[
        [texts.limits.requests, limitOf(own?.requests ?? null, ofPlan?.requests ?? null, windowText)],
        [texts.limits.tokens, limitOf(own?.tokens ?? null, ofPlan?.tokens ?? null, windowText)],
        [texts.limits.concurrency, limitOf(own?.concurrency ?? null, ofPlan?.concurrency ?? null, concurrencyText)],
        [texts.limits.counted, own === null && plan?.limits_per === "account" ? texts.limits.perAccount : undefined],
      ]}
    />
  );
}

const concurrencyText = (most: number): string => fill(texts.limits.atOnce, { count: countText(most) });

const windowText = ({ limit, window_seconds: seconds }: { readonly limit: number; readonly window_seconds: number }) =>
  fill(seconds === 60 ? texts.limits.inAMinute : texts.limits.inSeconds, {
    count: countText(limit),
    seconds: countText(seconds),
  });

/** A spend limit as "$50.00 a month"; a dash for none. */
export function SpendLimitText({ limit }: { readonly limit: SpendLimit | null }) {
  if (limit === null) return <span class="muted">–</span>;
  return (
    <>
      <Money amount={limit.limit} /> {texts.windows[limit.window]}
      {limit.timezone != null && limit.timezone !== "UTC" && <span class="muted"> {limit.timezone}</span>}
      {limit.models != null && (
        <span class="muted"> {fill(texts.limits.forModels, { models: limit.models.join(", ") })}</span>
      )}
    </>
  );
}

/** A spend limit with what was spent of it, as words and as a bar. */
export function SpendMeter({ state }: { readonly state: SpendState | null }) {
  if (state === null) return <span class="muted">{texts.limits.none}</span>;
  const share = Number(state.limit) === 0 ? 1 : Math.min(1, Number(state.spent) / Number(state.limit));
  return (
    <div class="stack tight">
      <span>
        <Money amount={state.spent} /> {texts.limits.spent} <SpendLimitText limit={state} />
        {state.source === "plan" && <span class="muted"> {texts.limits.ofAPlan}</span>}
      </span>
      <div class={share >= 1 ? "meter full" : "meter"} aria-hidden="true">
        <div style={{ width: `${(share * 100).toFixed(1)}%` }} />
      </div>
      {state.resets_at !== null && (
        <span class="muted">
          {texts.limits.resets} <Time at={state.resets_at} />
        </span>
      )}
    </div>
  );
}
