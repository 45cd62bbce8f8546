import type { WebhookResult } from "@tollgate/core/extension";
import * as v from "valibot";

const status = v.pipe(v.number(), v.integer(), v.minValue(100), v.maxValue(599));
const failure = v.picklist([
  "blocked_target",
  "dns_error",
  "connect_error",
  "tls_error",
  "timeout",
  "response_too_large",
  "invalid_response",
  "cancelled",
]);
const attempts = v.array(
  v.object({ durationMs: v.number(), status: v.nullable(status), failure: v.exactOptional(failure) }),
);

const result = v.variant("kind", [
  v.object({
    kind: v.literal("answered"),
    status,
    contentType: v.nullish(v.string()),
    body: v.instance(Uint8Array),
    attempts,
  }),
  v.object({
    kind: v.literal("failed"),
    failure,
    certainty: v.picklist(["not_sent", "failed", "unknown"]),
    detail: v.string(),
    status: v.nullable(status),
    attempts,
  }),
]);

/** Returns the result of a runner; or, if it is invalid, a failure of unknown certainty. */
export function checkResult(value: unknown): WebhookResult {
  const parsed = v.safeParse(result, value);
  if (!parsed.success) {
    const path = v.getDotPath(parsed.issues[0]) ?? "the result";
    return failedResult("connect_error", `The runner returned an invalid result at ${path}. Correct the runner.`);
  }
  const { output } = parsed;
  return output.kind === "failed" ? output : { ...output, contentType: output.contentType ?? undefined };
}

/** Returns a failure of unknown certainty. */
export function failedResult(
  failure: "connect_error" | "timeout" | "cancelled",
  detail: string,
): WebhookResult & { readonly kind: "failed" } {
  return { kind: "failed", failure, certainty: "unknown", detail, status: null, attempts: [] };
}
