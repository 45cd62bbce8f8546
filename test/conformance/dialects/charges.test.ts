import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { clients } from "../../routing/native/client.ts";
import { isChargedEnd } from "../../support/end-events.ts";
import { textAnswer } from "../../upstream/model-answer.ts";
import { costOf, type DialectGateway, models, serveDialects } from "./dialect-gateway.ts";

let served: DialectGateway;
let secret: string;
beforeEach(async () => {
  served = await serveDialects();
  secret = await served.key();
});
afterEach(() => served.close());

const cases = [
  ["messages", "native", models.messages],
  ["messages", "translated", models.chat],
  ["responses", "native", models.responses],
  ["responses", "translated", models.chat],
] as const;

/** What asks for reasoning that the answer shows. */
const visible = { messages: {}, responses: { reasoning: { summary: "auto" } } };

describe.each(cases)("the charge of %s, %s", (dialect, _way, model) => {
  const send = (form: "whole" | "streamed", signal: AbortSignal | null = null) =>
    fetch(`${served.openaiURL}${clients[dialect].path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
      body: JSON.stringify({ ...clients[dialect].body(model, form), ...visible[dialect] }),
      signal,
    });
  const charged = async () => 10_000_000_000n - (await served.under.balances.balance("acme")).posted;
  const settled = async () => {
    await vi.waitFor(() => expect(served.under.gateway.inFlight()).toBe(0), { timeout: 10_000 });
    expect((await served.under.balances.balance("acme")).held).toBe(0n);
    expect(await served.under.balances.verify()).toEqual([]);
  };

  it.each(["whole", "streamed"] as const)(
    "has every class of tokens in its end event and receipt, %s",
    async (form) => {
      const answer = textAnswer(["Hi"], { input: 12, cacheRead: 700, cacheWrite5m: 80, output: 50, reasoning: 30 });
      served.upstream.reply = () => ({ answer });
      await (await send(form)).text();
      await served.expectCharged(costOf(answer.tokens));
      const { entries } = await served.under.balances.entries({ account: "acme", limit: 10 });
      const tokens = { input: 792, cachedInput: 700, cacheWrite5m: 80, cacheWrite1h: 0, output: 50, reasoning: 30 };
      expect(entries.at(-1)?.receipt).toMatchObject({ dialect, model, charge: { basis: "reported", tokens } });
    },
  );

  it("is the estimate of what arrived when the client leaves a stream", async () => {
    const fault = { kind: "hang", before: "more content" } as const;
    served.upstream.reply = () => ({ answer: textAnswer(["Hello there", "more"]), fault });
    const controller = new AbortController();
    const response = await send("streamed", controller.signal);
    await response.body?.getReader().read();
    controller.abort();
    await served.upstream.last().closed;
    await settled();
    expect(served.upstream.last().wasAborted).toBe(true);
    // Three tokens of text at 15,000, and a prompt of at most a quarter of the body.
    expect((await charged()) > 45_000n && (await charged()) < 200_000n).toBe(true);
    expect(served.under.events.filter(isChargedEnd)).toMatchObject([{ ending: "client_gone" }]);
  });

  it("is the reported usage when the client leaves before an answer in one piece", async () => {
    const answer = textAnswer(["Hello"]);
    served.upstream.reply = () => ({ answer });
    const controller = new AbortController();
    const reply = send("whole", controller.signal).catch(() => undefined);
    await expect.poll(() => served.upstream.requests).toHaveLength(1);
    controller.abort();
    await reply;
    await served.expectCharged(costOf(answer.tokens));
  });

  it.each(["whole", "streamed"] as const)(
    "is at most ten times the hold for an implausible usage, %s",
    async (form) => {
      served.upstream.reply = () => ({ answer: textAnswer(["Hi"], { output: 900_000_000 }) });
      await (await send(form)).text();
      await settled();
      const implausible = served.under.events.filter(({ type }) => type === "usage.implausible");
      expect(implausible).toHaveLength(1);
      // The hold has 500 tokens of output at 15,000, and a small prompt.
      expect((await charged()) <= 10n * (500n * 15_000n + 300n * 6_000n)).toBe(true);
    },
  );
});

/** The most that a request with these members can cost: the whole window of 200,000 tokens, and its output. */
describe.each([
  [
    "responses",
    models.responses,
    // https://platform.openai.com/docs/guides/tools-computer-use
    {
      input: Array.from({ length: 100 }, (_, at) => [
        {
          type: "computer_call",
          call_id: `c${at}`,
          id: `cu_${at}`,
          action: { type: "screenshot" },
          status: "completed",
        },
        {
          type: "computer_call_output",
          call_id: `c${at}`,
          output: { type: "computer_screenshot", image_url: `https://a.example/${at}.png` },
        },
      ]).flat(),
    },
  ],
  [
    "messages",
    models.messages,
    // https://platform.claude.com/docs/en/agents-and-tools/tool-use/web-fetch-tool
    {
      messages: [
        { role: "user", content: "Read it." },
        {
          role: "assistant",
          content: [
            { type: "server_tool_use", id: "srvtoolu_1", name: "web_fetch", input: { url: "https://a.example/" } },
            {
              type: "web_fetch_tool_result",
              tool_use_id: "srvtoolu_1",
              content: {
                type: "web_fetch_result",
                url: "https://a.example/",
                content: { type: "document", source: { type: "url", url: "https://a.example/a.pdf" } },
              },
            },
          ],
        },
        { role: "user", content: "And now?" },
      ],
    },
  ],
] as const)("the hold of a request of %s with results of server tools", (dialect, model, members) => {
  it("is that of the whole window", async () => {
    const fault = { kind: "hang", before: "the first content" } as const;
    served.upstream.reply = () => ({ answer: textAnswer(["Hello"]), fault });
    const controller = new AbortController();
    const reply = fetch(`${served.openaiURL}${clients[dialect].path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
      body: JSON.stringify({ ...clients[dialect].body(model, "whole"), ...members }),
      signal: controller.signal,
    });
    await Promise.race([
      expect.poll(() => served.upstream.requests).toHaveLength(1),
      reply.then(async (response) => expect.fail(await response.text())),
    ]);
    const { held } = await served.under.balances.balance("acme");
    expect(held >= 200_000n * 3_000n).toBe(true);
    controller.abort();
    await reply.catch(() => undefined);
  });
});
