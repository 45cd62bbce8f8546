import { expect, it } from "vitest";
import { describeWebhook } from "../config/dry-run.ts";
import { Redactor } from "../redaction/redactor.ts";

const secret = "s3cret-key";

it("redacts secrets, and the values of headers whose names mark a credential", () => {
  const redactor = new Redactor({ api_key: secret });
  const request = {
    method: "POST",
    url: `https://user@api.example/x?token=t0k&q=${secret}`,
    headers: [
      ["Authorization", "Basic abc"],
      ["X-Api-Key", "literal"],
      ["Cookie", "a=b"],
      ["x-a", `b ${secret}`],
    ],
    body: `{"key":"${secret}"}`,
  } as const;
  expect(describeWebhook(redactor, request)).toEqual({
    method: "POST",
    url: "https://[redacted]@api.example/x?token=[redacted]&q=[redacted]",
    headers: [
      ["Authorization", "[redacted]"],
      ["X-Api-Key", "[redacted]"],
      ["Cookie", "[redacted]"],
      ["x-a", "b [redacted]"],
    ],
    body: '{"key":"[redacted]"}',
  });
  expect(describeWebhook(redactor, { ...request, body: undefined }).body).toBeNull();
});
