import { describe, expect, it } from "vitest";
import { Browser } from "../http/browser.ts";
import type { Mount, Variant } from "../http/mounts/mount.ts";
import { mounted } from "../http/mounts/mounts.ts";
import { page, tokensUnderTest } from "../support/tokens-under-test.ts";

const chat = JSON.stringify({ model: "plain", messages: [{ role: "user", content: "Hello" }], max_tokens: 10 });

async function setPage(mount: Mount, variant: Variant) {
  const tested = await tokensUnderTest();
  const host = await mount.start({ "/router/v1": tested.gateway, "/assistants": tested.gateway.sessions }, variant);
  const url = `http://127.0.0.1:${host.port}`;
  const bare = (token: string) => ({ authorization: `Bearer ${token}` });
  const headersOf = (token: string) => ({ ...bare(token), "content-type": "application/json" });
  return { ...tested, url, bare, headersOf, [Symbol.asyncDispose]: () => host.close() };
}

// In the variant "middleware", CORS middleware of the host answers preflights first, and for every origin.
describe.each(mounted.filter(({ variant }) => variant !== "middleware"))("$title", ({ mount, variant }) => {
  it("lets a page of a listed origin call models and its session, without the option `cors`", async () => {
    await using stage = await setPage(mount, variant);
    const { url, bare, headersOf, key, gateway } = stage;
    const browser = new Browser(page);
    const { token } = await stage.token();
    const headers = headersOf(token);
    const completion = await browser.fetch(`${url}/router/v1/chat/completions`, {
      method: "POST",
      headers,
      body: chat,
    });
    expect([completion.status, completion.readable["x-router-attempts"]]).toEqual([200, "1"]);
    expect((await browser.fetch(`${url}/router/v1/models`, { headers: bare(token) })).status).toBe(200);
    const parent = await key();
    const body = '{"assistant_id":"support"}';
    const made = await fetch(`${url}/assistants/session`, { method: "POST", headers: headersOf(parent.secret), body });
    const { id: session } = await made.json();
    const ofSession = await gateway.browserTokens.create({ keyId: parent.key.id, session });
    const turn = { method: "POST", headers: headersOf(ofSession.token), body: '{"content":"Hi"}' };
    expect((await browser.fetch(`${url}/assistants/session/${session}/messages`, turn)).status).toBe(200);
    expect(browser.preflights).toBe(3);
  });

  it("keeps a page of another origin out, and answers 403 to what is no page", async () => {
    await using stage = await setPage(mount, variant);
    const { url, bare, token } = stage;
    const headers = bare((await token()).token);
    const models = `${url}/router/v1/models`;
    await expect(new Browser("https://evil.example").fetch(models, { headers })).rejects.toThrow("preflight");
    for (const origin of [undefined, "https://evil.example"]) {
      const answer = await fetch(models, { headers: { ...headers, ...(origin !== undefined && { origin }) } });
      expect([answer.status, (await answer.json()).error.code]).toEqual([403, "origin_not_allowed"]);
      expect(answer.headers.get("access-control-allow-origin")).toBeNull();
    }
    const same = await fetch(models, { headers: { ...headers, "sec-fetch-site": "same-origin" } });
    expect(same.status).toBe(200);
  });
});

describe("the option `cors` beside tokens", () => {
  const allowed = async (cors: NonNullable<Parameters<typeof tokensUnderTest>[0]>["cors"], origin: string) => {
    const { gateway } = await tokensUnderTest(cors === undefined ? {} : { cors });
    const request = new Request("http://gateway.test/router/v1/models", { headers: { origin } });
    return (await gateway.fetch(request)).headers.get("access-control-allow-origin");
  };

  it("keeps its origins", async () => {
    const [own, other] = ["https://own.example", "https://evil.example"];
    expect(await Promise.all([own, page, other].map((each) => allowed({ origins: [own] }, each)))).toEqual([
      own,
      page,
      null,
    ]);
    const byFunction = { origins: (origin: string) => origin === own };
    expect(await Promise.all([own, page, other].map((each) => allowed(byFunction, each)))).toEqual([own, page, null]);
    expect(await allowed({ origins: "*" }, other)).toBe("*");
    expect(await allowed(undefined, other)).toBeNull();
  });
});
