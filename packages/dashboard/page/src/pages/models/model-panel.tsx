import { useSignal } from "@preact/signals";
import { CopyId } from "@tollgate/page-kit/design/announcements.tsx";
import { JsonBlock } from "@tollgate/page-kit/design/code-block.tsx";
import { Button } from "@tollgate/page-kit/design/controls.tsx";
import { countText, durationText, shareText } from "@tollgate/page-kit/design/figures.ts";
import { Facts, Section } from "@tollgate/page-kit/design/layout.tsx";
import { SidePanel } from "@tollgate/page-kit/design/side-panel.tsx";
import { failureName, StateBadge } from "@tollgate/page-kit/design/states.tsx";
import { Time } from "@tollgate/page-kit/design/values.tsx";
import { addressOf } from "@tollgate/page-kit/state/location.ts";
import type { Model, ModelTarget } from "../../api/answers.ts";
import { PriceTables } from "./price-tables.tsx";
import { WhatIfDialog } from "./what-if-dialog.tsx";

/** One model with its prices and targets. */
export function ModelPanel({ model, onClose }: { readonly model: Model; readonly onClose: () => void }) {
  const asking = useSignal(false);
  return (
    <SidePanel kind="Model" title={model.display_name ?? model.id} row={model.id} onClose={onClose}>
      <Facts
        facts={[
          ["Id", <CopyId key="" id={model.id} />],
          ["Context", model.context_window === null ? undefined : `${countText(model.context_window)} tokens`],
          [
            "Output",
            model.max_output_tokens === null ? undefined : `at most ${countText(model.max_output_tokens)} tokens`,
          ],
          ["Kind", model.kind === "embedding" ? "Embedding" : "Chat"],
          ["Vision", model.kind === "embedding" ? undefined : yesOrNo(model.vision)],
          ["Tools", model.kind === "embedding" ? undefined : yesOrNo(model.tools)],
        ]}
      />
      <p class="links">
        <a href={addressOf("usage", { model: model.id })}>Usage of this model</a>
        <a href={addressOf("requests", { model: model.id })}>Requests</a>
        {model.kind === "chat" && <a href={addressOf("playground", { model: model.id })}>Try it</a>}
      </p>
      <Section
        title="Price"
        actions={
          <Button look="small" onClick={() => (asking.value = true)}>
            What if…
          </Button>
        }
      >
        <PriceTables price={model.price} cost={null} />
      </Section>
      {model.reasoning !== null && (
        <Section title="Reasoning">
          <JsonBlock label="Reasoning" value={model.reasoning} />
        </Section>
      )}
      {asking.value && <WhatIfDialog model={model} onClose={() => (asking.value = false)} />}
      {model.targets.map((target) => (
        <Target key={`${target.provider}/${target.upstream_model}`} target={target} />
      ))}
    </SidePanel>
  );
}

const yesOrNo = (value: boolean) => (value ? "Yes" : "No");

function Target({ target }: { readonly target: ModelTarget }) {
  return (
    <Section title={`${target.provider} · ${target.upstream_model}`}>
      <Facts
        facts={[
          [
            "Breaker",
            <span key="" class="inline">
              <StateBadge state={target.breaker} />
              {target.breaker !== "closed" && <a href="health">Why</a>}
              {target.breaker_until !== null && (
                <span class="muted">
                  until <Time at={target.breaker_until} />
                </span>
              )}
            </span>,
          ],
          ["Order", `priority ${target.priority}, weight ${target.weight}`],
          ["Attempts, 24 h", attemptsText(target)],
          ["Failed, 24 h", failuresText(target)],
          ["Errors, 24 h", shareText(target.error_share_24h)],
          ["Latency, 24 h", `p50 ${durationText(target.p50_ms_24h)}, p95 ${durationText(target.p95_ms_24h)}`],
        ]}
      />
      <PriceTables price={target.price} cost={target.cost} />
    </Section>
  );
}

function attemptsText({ attempts_24h: attempts, answered_24h: answered }: ModelTarget): string {
  return attempts === null || answered === null ? "–" : `${countText(attempts)} · ${countText(answered)} answered`;
}

/** The failed attempts by class, most first. */
function failuresText({ failed_attempts_24h: failed }: ModelTarget): string {
  if (failed === null) return "–";
  const classes = Object.entries(failed).sort(([, one], [, other]) => other - one);
  return classes.length === 0
    ? "None"
    : classes.map(([name, count]) => `${countText(count)} ${failureName(name)}`).join(", ");
}
