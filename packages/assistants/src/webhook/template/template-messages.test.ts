import type { Json } from "@tollgate/core/provider";
import { describe, expect, it } from "vitest";
import type { WebhookConfig } from "../../definition/assistant-config.ts";
import { failureMessage } from "../../definition/failure-messages.ts";
import { compileWebhook } from "../compile-webhook.ts";

const names = { properties: ["optional"], secrets: [] };

const compile = (config: Partial<WebhookConfig>) =>
  compileWebhook({ type: "WEBHOOK", method: "POST", url: "https://a.example/", ...config }, names);

function refusal(config: Partial<WebhookConfig>, clientData: Record<string, Json>) {
  const compiled = compile(config);
  if ("problems" in compiled) throw new Error(compiled.problems.join("\n"));
  const system = { "session.id": "S", "company.id": "C", "assistant.id": "A" };
  const sources = { system, images: [], secrets: {}, declared: ["optional"], arguments: {}, clientData };
  const rendering = compiled.webhook.render(sources);
  return "error" in rendering ? rendering.error : expect.fail("The call was not refused.");
}

describe("the error of a call that was not sent", () => {
  it.each<[code: string, config: Partial<WebhookConfig>, data: Record<string, Json>, message: string, detail: string]>([
    [
      "unresolved_variable",
      { url: "https://a.example/$a?b=$b" },
      {},
      'These variables have no value: "a", "b". Nothing was sent. Continue without this call, or tell the user that it cannot be made yet.',
      'No source has a value for "a", "b".',
    ],
    [
      "unsafe_path_value",
      { url: "https://a.example/x/$v" },
      { v: ".." },
      'A value in the path of this call is missing, empty, "." or "..". Nothing was sent. Call again with a real value.',
      'Segment 2 of the path has a variable without a value, or is empty, "." or ".." once rendered.',
    ],
    [
      "blocked_target",
      { url: "https://$v/", hostVariables: ["b.example"] },
      { v: "c.example" },
      failureMessage("blocked_target", "not_sent"),
      "The rendered host is not in `hostVariables`.",
    ],
    [
      "invalid_arguments",
      { url: "https://a.example/$v" },
      { v: "x".repeat(8_175) },
      "The values are too long for this call. Nothing was sent. Call again with shorter ones.",
      "The rendered URL has 8193 characters; 8192 are allowed.",
    ],
    [
      "invalid_header_value",
      { headers: [{ key: "X-Value", value: "$v" }] },
      { v: "a\nb" },
      "A value contains a line break or another control character, which a header cannot contain. Nothing was sent. Call again without it.",
      "The value of the header X-Value has a control character.",
    ],
    [
      "invalid_body",
      { body: "[$v.x]" },
      { v: "a" },
      "The values do not fit the body of this call. Nothing was sent. Do not call again with the same values.",
      "There is text beside a variable without quotes.",
    ],
    [
      "invalid_body",
      { body: "[$v]" },
      { v: "é".repeat(131_071) },
      "The values are too long for this call. Nothing was sent. Call again with shorter ones.",
      "The rendered body has 262146 bytes; 262144 are allowed.",
    ],
  ])("%s says what to do", (code, config, data, message, detail) => {
    expect(refusal(config, data)).toEqual({ code, message, certainty: "not_sent", detail });
  });

  it("says that a value is nested too deeply", () => {
    let deep: Json = [];
    for (let level = 0; level < 100_000; level++) deep = [deep];
    expect(refusal({ body: "[$v]" }, { v: deep })).toEqual({
      code: "invalid_arguments",
      message: "A value is nested too deeply or too long. Nothing was sent. Call again with a simpler one.",
      certainty: "not_sent",
      detail: "A value is nested too deeply, or is too long, to be written as text.",
    });
  });
});

describe("the problem of a template", () => {
  const loop: Record<string, Json> = {};
  loop["self"] = loop;
  const header = (key: string, value = "x") => ({ headers: [{ key, value }] });

  it.each<[config: Partial<WebhookConfig>, problem: string]>([
    [
      { url: "https://a.example/ b" },
      "url, character 19: the URL has a space, a backslash or a control character. Percent-encode it.",
    ],
    [
      { url: " https://a.example/" },
      "url, character 1: the URL has a space, a backslash or a control character. Percent-encode it.",
    ],
    [
      { url: "/https://a.example/" },
      "url, character 1: the URL does not begin with https:// or http://. Write the scheme out, without a variable.",
    ],
    [
      { url: "https://a.example/$$$" + "{a/b" },
      "url, character 21: the braces of a variable are not closed. Close them, or write $$ for a dollar.",
    ],
    [
      { url: "https://$" + "{a/b" },
      "url, character 9: the braces of a variable are not closed. Close them, or write $$ for a dollar.",
    ],
    [
      { url: "https://ann@a.example/" },
      "url, character 9: the URL has a user name or password. Send credentials in a header.",
    ],
    [
      { url: "https://@a.example/" },
      "url, character 9: the URL has a user name or password. Send credentials in a header.",
    ],
    [
      { url: "https://$v/" },
      "url, character 9: the host or port has a variable. Write out the host and port, or list the allowed ones in hostVariables.",
    ],
    [{ url: "https:///x" }, "url, character 9: the host is missing or invalid. Write a valid one."],
    [
      { url: "https://$v/", hostVariables: ["a.example", "b.example/x", ""] },
      'hostVariables: ["b.example/x",""] must each be a host, with or without a port.',
    ],
    [header("a b"), 'headers[0].key: "a b" is not a valid header name. Use letters, digits and -.'],
    [header("Host"), 'headers[0].key: "Host" is set by the HTTP client. Remove it.'],
    [
      header("Metadata"),
      'headers[0].key: "Metadata" is a header of cloud metadata services, which webhooks must not call. Remove it.',
    ],
    [header("a", "\n"), "headers[0].value, character 1: the value has a control character. Remove it."],
    [{ body: loop }, "body: cannot be converted to JSON. Give a plain object or a string."],
    [
      { body: '{"a": $x' },
      "body: it is not JSON when each variable without quotes is replaced with null. Check its quotes, commas and brackets.",
    ],
    [
      { body: '[$x, "$", $5]' },
      "body, character 11: a $ without quotes does not begin a variable. Put it into a string.",
    ],
    [
      { body: '["a $5' },
      "body: it is not JSON when each variable without quotes is replaced with null. Check its quotes, commas and brackets.",
    ],
    ...[
      ["$5", 1],
      ['[$5, "x"]', 2],
      ['["x", $5, "y"]', 7],
      ['"x"$5"y"', 4],
      ['{"a": $' + '{b, "c": 1', 7],
    ].map(([body, place]): [Partial<WebhookConfig>, string] => [
      { body: String(body) },
      `body, character ${place}: a $ without quotes does not begin a variable. Put it into a string.`,
    ]),
  ])("%j is: %s", (config, problem) => expect(compile(config)).toEqual({ problems: [problem] }));
});
