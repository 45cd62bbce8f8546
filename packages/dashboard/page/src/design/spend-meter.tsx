import type { SpendState } from "../api/spend.ts";
import { Money } from "./money.tsx";
import { SpendLimitText } from "./spend-limit-text.tsx";
import { Time } from "./time.tsx";

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
