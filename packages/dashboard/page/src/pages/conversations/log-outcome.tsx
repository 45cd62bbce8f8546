import type { WebhookLog } from "../../api/assistants.ts";
import { Badge, type Tone } from "../../design/badge.tsx";

/** How a webhook call ended: the status of its response, or the code of its error. */
export function LogOutcome({ log }: { readonly log: WebhookLog }) {
  const { response, error } = log;
  const tone: Tone = log.outcome === "succeeded" ? "good" : "bad";
  const words = [response === null ? undefined : String(response.status), error?.code.replaceAll("_", " ")];
  return <Badge tone={tone}>{words.filter(Boolean).join(" ") || log.outcome}</Badge>;
}
