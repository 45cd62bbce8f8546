import type { WebhookResult, WebhookRunner } from "@tollgate/core/extension";
import { expect } from "vitest";
import type { Trigger } from "../src/definition/assistant.ts";
import { Redactor } from "../src/redaction/redactor.ts";
import type { WebhookCall, WebhookOutcome } from "../src/webhook/run-webhook.ts";

/** The secret of the trigger. No output may contain it. */
export const secret = "s3cret-key";
/** Redacts the secret. */
export const redactor = new Redactor({ api_key: secret });
/** The request that the trigger renders. */
export const request = {
  method: "POST",
  url: `https://user@api.example/x?token=t0k&q=${secret}`,
  headers: [
    ["authorization", `Bearer ${secret}`],
    ["x-a", "b"],
  ],
  body: `{"key":"${secret}"}`,
} as const;

/** A trigger with a hand-written `render`. */
export const trigger: Trigger = {
  name: "order",
  tool: { type: "function", function: { name: "order", parameters: {} } },
  directive: "Say it kindly.",
  properties: ["city"],
  signingSecret: "whsec_x",
  checkArguments: (text) =>
    text === "bad"
      ? { outcome: "invalid", problem: `city is missing, ${secret}` }
      : { outcome: "valid", arguments: { city: text } },
  webhook: {
    render: ({ arguments: { city }, declared, secrets }) => ({
      outcome: "rendered",
      request,
      variables: [
        { name: "city", source: "argument", value: `${city} ${declared}` },
        { name: "api_key", source: "secret", value: secrets["api_key"] ?? "" },
      ],
    }),
  },
};

/** A call of the trigger. */
export const call: WebhookCall = {
  id: "c1",
  toolCallId: "t1",
  sessionId: "s1",
  trigger,
  arguments: "Rome",
  sources: {
    system: { "session.id": "s1", "company.id": "co", "assistant.id": "a" },
    images: [],
    secrets: { api_key: secret },
    clientData: {},
  },
  timeoutMs: 20_000,
  signal: new AbortController().signal,
};

/** One attempt that got a response. */
export const attempts = [{ durationMs: 1, status: 200 }];
/** A result with a response of the target. */
export const answered = (
  status: number,
  body: string | Uint8Array,
  contentType: string | undefined = "application/json",
): WebhookResult => ({
  kind: "answered",
  status,
  contentType,
  body: typeof body === "string" ? new TextEncoder().encode(body) : body,
  attempts,
});
/** A runner with the `run` of a test. */
export const runnerOf = (run: WebhookRunner["run"]): WebhookRunner => ({
  run,
  checkTarget: async () => ({ allowed: true }),
});
/** Returns the parsed tool message and the rest of the outcome. Fails if any of it contains the secret. */
export const readOutcome = ({ content, log, changes }: WebhookOutcome) => {
  expect(JSON.stringify([content, log, changes])).not.toContain(secret);
  return { message: JSON.parse(content), content, log, changes };
};
