import type { TimelineStep } from "../../api/requests.ts";
import { durationText } from "../../design/figures.ts";

/** The words of the steps. */
const names: Readonly<Record<string, string>> = {
  admitted: "Admitted",
  held: "Amount held",
  attempt: "Attempt",
  "attempt.failed": "Attempt failed",
  first_content: "First content",
  answered: "Answered",
  settled: "Settled",
  webhook: "Webhook",
};

interface TimelineProps {
  readonly steps: readonly TimelineStep[];
  readonly durationMs: number;
}

/** The steps of a request, each with a bar from its time to the next step. */
export function Timeline({ steps, durationMs }: TimelineProps) {
  if (steps.length === 0) return <p class="muted">This request has no timeline.</p>;
  const end = Math.max(durationMs, ...steps.map(({ at }) => at), 1);
  return (
    <ol class="timeline">
      {steps.map((step, index) => {
        const until = steps[index + 1]?.at ?? Math.max(step.at, durationMs);
        return (
          <li key={index}>
            <span>{names[step.step] ?? step.step}</span>
            <span class="track" aria-hidden="true">
              <span
                class={step.step === "attempt.failed" ? "bar bad" : "bar"}
                style={{ left: percent(Math.min(step.at / end, 0.99)), width: percent((until - step.at) / end) }}
              />
            </span>
            <span class="figure muted">{durationText(step.at)}</span>
            {step.detail != null && <span class="detail muted">{step.detail}</span>}
            {answerText(step) !== undefined && <span class="detail">{answerText(step)}</span>}
          </li>
        );
      })}
    </ol>
  );
}

/** The status and the message of the upstream of a failed attempt. */
export function answerText({ status, message }: TimelineStep): string | undefined {
  const parts = [status, message].filter((part) => part != null);
  return parts.length === 0 ? undefined : parts.join(" · ");
}

const percent = (share: number): string => `${(share * 100).toFixed(2)}%`;
