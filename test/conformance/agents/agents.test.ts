import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkMessagesOrder } from "../../support/event-order/messages-order.ts";
import { checkResponsesOrder } from "../../support/event-order/responses-order.ts";
import { readEvents } from "../../support/event-order/server-sent-events.ts";
import { isRecord } from "../../support/is-record.ts";
import { type ModelAnswer, someTokens, toolCall, toolsAnswer } from "../../upstream/model-answer.ts";
import { answers } from "../dialects/answers.ts";
import { costOf, type DialectGateway, models, serveDialects } from "../dialects/dialect-gateway.ts";
import {
  claudeCodeBetas,
  claudeCodeCountRequest,
  claudeCodeQuotaRequest,
  claudeCodeRequest,
} from "./claude-code-request.ts";
import { type AgentRequest, codexNextRequest, codexRequest } from "./codex-request.ts";

let served: DialectGateway;
let secret: string;

beforeEach(async () => {
  served = await serveDialects();
  secret = await served.key();
});
afterEach(() => served.close());

const send = ({ path, headers, body }: AgentRequest, key: Readonly<Record<string, string>>) =>
  fetch(`${served.anthropicURL}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers, ...key },
    body: JSON.stringify(body),
  });

const answerWith = (...given: readonly [ModelAnswer, ...ModelAnswer[]]) => {
  served.upstream.reply = (_request, before) => ({ answer: given[before] ?? given[0] });
};

/** The body that an upstream received, without what the gateway changes for each target. */
function sentBesides(...names: readonly string[]) {
  return Object.fromEntries(Object.entries(served.upstream.last().body).filter(([name]) => !names.includes(name)));
}

const without = (body: Readonly<Record<string, unknown>>, ...names: readonly string[]) =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));

function expectNoSecrets(): void {
  const { headers, text } = served.upstream.last();
  expect(JSON.stringify(headers) + text).not.toContain(secret);
}

describe("Codex", () => {
  const bearer = () => ({ authorization: `Bearer ${secret}` });
  const thinksAndCalls: ModelAnswer = {
    parts: [
      { type: "thinking", pieces: ["**Looking**"], signature: "ZW5jcnlwdGVk" },
      toolCall("call_ls", "exec_command", { cmd: "ls" }),
    ],
    end: "tools",
    tokens: { ...someTokens, output: 60, reasoning: 40 },
  };

  it("sends as much as was recorded", () => {
    const bytes = JSON.stringify(codexRequest("gpt").body).length;
    expect(bytes).toBeGreaterThan(35_000);
    expect(bytes).toBeLessThan(45_000);
  });

  it("is answered natively, with no more changed than the model, its effort and what is not priced", async () => {
    answerWith(answers.text);
    const request = codexRequest(models.responses);
    const response = await send(request, bearer());
    expect(response.status).toBe(200);
    expect(response.headers.get("x-router-dropped")).toBe("web_search");
    expect(checkResponsesOrder(await response.text())).toBe("complete");
    const { tools } = served.upstream.last().body;
    const kinds = Array.isArray(tools) ? tools.map((tool) => (isRecord(tool) ? tool["type"] : tool)) : [];
    expect(kinds).toEqual([...Array.from({ length: 7 }, () => "function"), "namespace"]);
    // The effort is the default of the model.
    const reasoning = { effort: "low", summary: "auto" };
    // Upstreams get digits in place of the key of the prompt cache.
    const key = { prompt_cache_key: expect.stringMatching(/^[0-9a-f]{32}$/) };
    const expected = { ...without(request.body, "model", "tools"), ...key, reasoning };
    expect(sentBesides("model", "tools", "max_output_tokens")).toEqual(expected);
    expectNoSecrets();
    await served.expectCharged(costOf(answers.text.tokens));
  });

  it("is answered by a model of chat completions", async () => {
    answerWith(answers.text);
    const response = await send(codexRequest(models.chat), bearer());
    expect(response.status).toBe(200);
    expect(response.headers.get("x-router-dropped")).toContain("web_search");
    expect(checkResponsesOrder(await response.text())).toBe("complete");
    const { tools, messages } = served.upstream.last().body;
    expect(tools).toHaveLength(7);
    expect(messages).toHaveLength(7);
    expectNoSecrets();
    await served.expectCharged(costOf(answers.text.tokens));
  });

  it.each([models.responses, models.chat, models.messages])(
    "continues after a call with the items of %s",
    async (model) => {
      answerWith(thinksAndCalls, answers.text);
      const first = readEvents(await (await send(codexRequest(model), bearer())).text());
      const output = first.flatMap(({ data }) =>
        data["type"] === "response.output_item.done" && isRecord(data["item"]) ? [data["item"]] : [],
      );
      expect(output.map(({ type }) => type)).toEqual(["reasoning", "function_call"]);
      const response = await send(codexNextRequest(model, output), bearer());
      expect(response.status).toBe(200);
      expect(checkResponsesOrder(await response.text())).toBe("complete");
      for (const text of ["call_ls", "Process exited with code 0"]) expect(served.upstream.last().text).toContain(text);
      await served.expectCharged(costOf(thinksAndCalls.tokens) + costOf(answers.text.tokens));
    },
  );
});

describe("Claude Code", () => {
  const keys = [
    ["x-api-key", () => ({ "x-api-key": secret })],
    ["a bearer token", () => ({ authorization: `Bearer ${secret}` })],
  ] as const;

  it("sends as much as in a long session", () => {
    expect(JSON.stringify(claudeCodeRequest("claude").body).length).toBeGreaterThan(200_000);
  });

  it.each(keys)("is answered natively with %s, and keeps its betas and blocks", async (_name, key) => {
    answerWith(answers.thinking);
    const request = claudeCodeRequest(models.messages);
    const response = await send(request, key());
    expect(response.status).toBe(200);
    expect(checkMessagesOrder(await response.text())).toBe("complete");
    const { url, headers } = served.upstream.last();
    expect(url).toBe("/v1/messages?beta=true");
    const dropped = response.headers.get("x-router-dropped") ?? "";
    const betas = String(headers["anthropic-beta"]).split(",");
    expect([...betas, ...dropped.split(", ")]).toEqual(expect.arrayContaining(claudeCodeBetas));
    expect(betas).toEqual(expect.arrayContaining(["interleaved-thinking-2025-05-14", "context-management-2025-06-27"]));
    expect(sentBesides("model", "max_tokens")).toEqual(without(request.body, "model", "max_tokens"));
    expectNoSecrets();
    await served.expectCharged(costOf(answers.thinking.tokens));
  });

  it("is answered by a model of chat completions", async () => {
    answerWith(answers.thinking);
    const response = await send(claudeCodeRequest(models.chat), { "x-api-key": secret });
    expect(response.status).toBe(200);
    expect(checkMessagesOrder(await response.text())).toBe("complete");
    const { body, text, headers } = served.upstream.last();
    expect(body["tools"]).toHaveLength(100);
    expect(headers["anthropic-beta"]).toBeUndefined();
    for (const name of ["context_management", "user_id"]) expect(text).not.toContain(`"${name}"`);
    for (const part of ["No such folder.", "toolu_01A", "You are Claude Code"]) expect(text).toContain(part);
    expectNoSecrets();
    await served.expectCharged(costOf(answers.thinking.tokens));
  });

  it.each([models.messages, models.chat])("calls tools with %s", async (model) => {
    const answer = toolsAnswer([toolCall("toolu_02", "Tool3", { path: "/srv" })], ["Now this."]);
    answerWith(answer);
    const text = await (await send(claudeCodeRequest(model), { "x-api-key": secret })).text();
    expect(checkMessagesOrder(text)).toBe("complete");
    expect(text).toContain("toolu_02");
    await served.expectCharged(costOf(answer.tokens));
  });

  it.each([models.messages, models.chat])("checks its quota and counts tokens with %s", async (model) => {
    const key = { "x-api-key": secret };
    expect((await send(claudeCodeCountRequest(model), key)).status).toBe(200);
    await served.expectCharged(0n);
    expect((await send(claudeCodeQuotaRequest(model), key)).status).toBe(200);
    await served.expectCharged(costOf(answers.text.tokens));
  });

  it("lists models in Anthropic's form", async () => {
    const headers = { "x-api-key": secret, "anthropic-version": "2023-06-01" };
    const response = await fetch(`${served.anthropicURL}/v1/models?limit=1000`, { headers });
    expect(await response.json()).toMatchObject({ data: expect.any(Array), has_more: false });
  });
});
