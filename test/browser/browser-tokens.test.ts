import { createServer } from "node:http";
import { nodeHandler } from "@tollgate/node";
import { build } from "esbuild";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Host, listen } from "../http/mounts/mount.ts";
import { tokensUnderTest } from "../support/tokens-under-test.ts";
import { type Browser, launchBrowser } from "./browser.ts";

/** What a page does with the SDK of OpenAI, and what it sees. */
const script = `
  import OpenAI from "openai";
  globalThis.ask = async (baseURL, apiKey) => {
    const client = new OpenAI({ baseURL, apiKey, dangerouslyAllowBrowser: true, maxRetries: 0 });
    const messages = [{ role: "user", content: "Hello" }];
    try {
      const whole = await client.chat.completions.create({ model: "plain", messages, max_tokens: 10 });
      let streamed = "";
      for await (const chunk of await client.chat.completions.create({ model: "plain", messages, max_tokens: 10, stream: true }))
        streamed += chunk.choices[0]?.delta?.content ?? "";
      const models = [];
      for await (const { id } of client.models.list()) models.push(id);
      return { whole: whole.choices[0].message.content, streamed, models };
    } catch (error) {
      return { name: error.constructor.name, status: error.status, code: error.code };
    }
  };
`;

async function servePage(): Promise<Host & { readonly origin: string }> {
  const { outputFiles } = await build({
    stdin: { contents: script, resolveDir: import.meta.dirname },
    bundle: true,
    write: false,
    format: "iife",
    platform: "browser",
  });
  const bundled = outputFiles[0]?.text ?? "";
  const host = await listen(
    createServer((request, response) => {
      const isScript = request.url === "/script.js";
      response.setHeader("content-type", isScript ? "text/javascript" : "text/html");
      response.end(isScript ? bundled : '<!doctype html><title>Page</title><script src="/script.js"></script>');
    }),
  );
  return { ...host, origin: `http://127.0.0.1:${host.port}` };
}

describe("the SDK of OpenAI in Chromium", () => {
  let browser: Browser;
  let hosts: readonly Host[];
  let ask: (origin: "allowed" | "foreign", token?: string) => Promise<unknown>;
  let ended: string;

  beforeAll(async () => {
    const [allowed, foreign] = await Promise.all([servePage(), servePage()]);
    const { gateway, token, keys } = await tokensUnderTest({ tokens: { origins: [allowed.origin] } });
    const host = await listen(createServer(nodeHandler(gateway, { prefix: "/router/v1" })));
    hosts = [allowed, foreign, host];
    browser = await launchBrowser();
    const made = await token();
    const revoked = await token();
    await keys.revoke(revoked.key.id);
    ended = revoked.token;
    const baseURL = `http://127.0.0.1:${host.port}/router/v1`;
    ask = async (origin, presented = made.token) => {
      const page = await browser.newPage();
      await page.goto((origin === "allowed" ? allowed : foreign).origin);
      const answer = await evaluate(page, baseURL, presented);
      await page.close();
      return answer;
    };
  });

  afterAll(async () => {
    await browser.close();
    for (const host of hosts) await host.close();
  });

  it("calls models with a token from a page of a listed origin", async () => {
    expect(await ask("allowed")).toEqual({ whole: "Hello.", streamed: "Hello.", models: ["plain", "large"] });
  });

  it("reads from the answer why a token is refused", async () => {
    expect(await ask("allowed", ended)).toEqual({
      name: "AuthenticationError",
      status: 401,
      code: "revoked_api_key",
    });
  });

  it("gets nothing from a page of another origin", async () => {
    expect(await ask("foreign")).toEqual({ name: "APIConnectionError" });
  });
});

const evaluate = (page: Page, baseURL: string, token: string): Promise<unknown> =>
  page.evaluate(`ask(${JSON.stringify(baseURL)}, ${JSON.stringify(token)})`);
