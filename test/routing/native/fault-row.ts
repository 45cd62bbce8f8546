import type { Fault } from "../../upstream/fault.ts";
import type { Form } from "../scene.ts";

/** A fault, and what it is called in the titles of tests. */
export interface FaultRow {
  readonly name: string;
  readonly fault: Fault;
}

const status = (code: number): FaultRow => ({ name: `status ${code}`, fault: { kind: "status", status: code } });

const moments = ["the first event", "the first content", "more content", "the last event"] as const;
const kinds = ["reset", "close", "hang", "garbage", "error event"] as const;

/** Every fault. */
export const faultRows: readonly FaultRow[] = [
  ...[400, 401, 403, 404, 413, 429, 500, 503, 529].map(status),
  ...kinds.flatMap((kind) => moments.map((before) => ({ name: `${kind} before ${before}`, fault: { kind, before } }))),
];

/** What a fault comes to at a target: a refusal with a status and code, an answer that breaks off, or a whole answer. */
export type FaultOutcome =
  | { readonly kind: "refused"; readonly status: number; readonly code: string; readonly fallsBack: boolean }
  | { readonly kind: "breaks off" | "answers" };

const refused = (status: number, code: string, fallsBack = true): FaultOutcome => ({
  kind: "refused",
  status,
  code,
  fallsBack,
});

/**
 * Returns the outcome of a fault. `endsEarly`: the upstream's API says how its answer ends before its last event, so that
 * the last one is not needed.
 */
export function outcomeOf(fault: Fault, form: Form, endsEarly: boolean): FaultOutcome {
  if (fault.kind === "status") return ofStatus(fault.status);
  if (form === "whole") return ofKind(fault.kind);
  if (fault.before === "more content") return { kind: "breaks off" };
  if (fault.before === "the last event") {
    return { kind: endsEarly && fault.kind !== "error event" && fault.kind !== "garbage" ? "answers" : "breaks off" };
  }
  return fault.kind === "error event" ? refused(503, "upstream_overloaded") : ofKind(fault.kind);
}

function ofStatus(status: number): FaultOutcome {
  if (status === 400) return refused(400, "invalid_request", false);
  if (status === 413) return refused(413, "payload_too_large", false);
  if (status === 429 || status === 503 || status === 529) return refused(503, "upstream_overloaded");
  return status === 500 ? refused(502, "upstream_failed") : refused(502, "upstream_rejected_credentials");
}

/** `close` and `garbage` may be read as a broken or as an invalid answer. */
function ofKind(kind: Exclude<Fault["kind"], "status">): FaultOutcome {
  if (kind === "hang") return refused(503, "upstream_timeout");
  return kind === "reset" ? refused(502, "upstream_failed") : refused(502, "");
}
