import { expect } from "vitest";
import type { Trigger } from "../src/assistants/definition/assistant.ts";
import { Redactor } from "../src/assistants/redaction/redactor.ts";
import type { WebhookCall, WebhookOutcome } from "../src/assistants/webhook/run-webhook.ts";
import type { WebhookResult, WebhookRunner } from "../src/ports/webhook-runner.ts";

/** The secret of the trigger, which nothing may show. */
export const secret = "s3cret-key";
/** Knows the secret. */
export const redactor = new Redactor({ api_key: secret });
/** What the trigger renders. */
export const request = {
  method: "POST",
  url: `https://user@api.example/x?token=t0k&q=${secret}`,
  headers: [
    ["authorization", `Bearer ${secret}`],
    ["x-a", "b"],
  ],
  body: `{"key":"${secret}"}`,
} as const;

/** A trigger whose render is written by hand. */
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

/** One try that was answered. */
export const attempts = [{ durationMs: 1, status: 200 }];
/** An answer of the target. */
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
/** A runner that does what a test says. */
export const runnerOf = (run: WebhookRunner["run"]): WebhookRunner => ({
  run,
  checkTarget: async () => ({ allowed: true }),
});
/** What the model is told, with the rest of the outcome; fails when any of it shows the secret. */
export const told = ({ content, log, changes }: WebhookOutcome) => {
  expect(JSON.stringify([content, log, changes])).not.toContain(secret);
  return { message: JSON.parse(content), content, log, changes };
};
