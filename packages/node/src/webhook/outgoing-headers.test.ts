import { fc, test } from "@fast-check/vitest";
import type { WebhookRequest } from "@tollgate/core/extension";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { outgoingHeaders } from "./outgoing-headers.ts";

const request: WebhookRequest = {
  id: "11111111-1111-4111-8111-111111111111",
  method: "POST",
  url: "https://example.com/",
  headers: [],
  body: '{"a":"ä"}',
  timeoutMs: 1_000,
  signingSecret: undefined,
  signal: new AbortController().signal,
};

function headersOf(more: Partial<WebhookRequest> = {}): [name: string, value: string][] {
  const whole = { ...request, ...more };
  const body = whole.body === undefined ? undefined : Buffer.from(whole.body);
  const raw = outgoingHeaders(whole, "example.com", body);
  return raw.flatMap((name, at) =>
    at % 2 === 0 ? [[name, Buffer.from(raw[at + 1] ?? "", "latin1").toString("utf8")]] : [],
  );
}

describe("outgoingHeaders", () => {
  it("adds default headers that the request does not set", () => {
    expect(headersOf()).toEqual([
      ["host", "example.com"],
      ["content-type", "application/json"],
      ["accept", "application/json, text/*;q=0.9, */*;q=0.1"],
      ["accept-encoding", "gzip, deflate, br"],
      ["user-agent", "Tollgate"],
      ["idempotency-key", request.id],
      ["content-length", "10"],
      ["connection", "close"],
    ]);
  });

  it("keeps the headers of the request, including duplicates, in any letter case", () => {
    const headers = [
      ["Content-Type", "application/vnd.api+json"],
      ["Idempotency-Key", "my own"],
      ["X-A", "1"],
      ["x-a", "2"],
    ] as const;
    const sent = headersOf({ headers });
    expect(sent).toEqual(expect.arrayContaining(headers.map((each) => [...each])));
    expect(sent.filter(([name]) => /^(?:content-type|idempotency-key)$/i.test(name))).toHaveLength(2);
  });

  it("sends no body headers with a GET, and a length of 0 with other methods without a body", () => {
    const names = (method: "GET" | "DELETE") => headersOf({ method, body: undefined }).map(([name]) => name);
    expect(names("GET")).toEqual(["host", "accept", "accept-encoding", "user-agent", "connection"]);
    expect(headersOf({ method: "DELETE", body: undefined })).toContainEqual(["content-length", "0"]);
  });

  it("replaces signature headers of the request with its own", () => {
    const secret = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3";
    const sent = headersOf({ signingSecret: secret, headers: [["Webhook-Signature", "v1,forged"]] });
    expect(new Webhook(secret).verify(request.body ?? "", Object.fromEntries(sent))).toEqual({ a: "ä" });
    expect(sent.filter(([name]) => name.toLowerCase() === "webhook-signature")).toHaveLength(1);
  });

  it.each(["", "whsec_", "whsec_$$$", "no base64!"])("refuses the signing secret %j without revealing it", (secret) => {
    const sign = () => headersOf({ signingSecret: secret });
    expect(sign).toThrow(expect.objectContaining({ failure: "blocked_target" }));
    expect(sign).toThrow("Use `whsec_` followed by base64.");
  });

  it.each([
    "Host",
    "content-length",
    "Transfer-Encoding",
    "connection",
    "keep-alive",
    "TE",
    "trailer",
    "upgrade",
    "expect",
    "proxy-authorization",
    "Proxy-Connection",
    "Metadata",
    "Metadata-Flavor",
    "X-aws-ec2-metadata-token",
    "X-aws-ec2-metadata-token-ttl-seconds",
    "X-aliyun-ecs-metadata-token",
    "",
    "a b",
    "a:b",
    "ä",
    "a\r\nb",
  ])("refuses the name %j", (name) => {
    expect(() => headersOf({ headers: [[name, "x"]] })).toThrow(expect.objectContaining({ failure: "blocked_target" }));
  });

  test.prop([fc.string({ unit: "binary" })])("sends a value as UTF-8, or refuses control characters", (value) => {
    const send = () => headersOf({ headers: [["x-value", value]] });
    const refused = Buffer.from(value).some((octet) => (octet < 32 && octet !== 9) || octet === 127);
    if (refused) expect(send).toThrow("characters that cannot be sent");
    else expect(send()).toContainEqual(["x-value", Buffer.from(value).toString()]);
  });
});
