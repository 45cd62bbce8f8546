import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endQuickstart, type Quickstart, startQuickstart, written } from "./start-quickstart.ts";

interface Announced {
  readonly router: string;
  readonly keys: Readonly<Record<string, string>>;
  readonly models: {
    readonly plain: string;
    readonly reasoning: string;
    readonly hidden: string;
    readonly embedding: string;
  };
}

let quickstart: Quickstart;
let announced: Announced;

const start = async (env: Readonly<Record<string, string>> = {}): Promise<[Quickstart, Announced]> => {
  const started = startQuickstart({ PORT: "0", QUICKSTART_JSON: "1", ...env });
  const [line] = await written(started, /^\{.*\}\n/);
  return [started, JSON.parse(line)];
};

const post = (key: string, body: object = {}, from = announced, signal: AbortSignal | null = null) =>
  fetch(`${from.router}/chat/completions`, {
    method: "POST",
    signal,
    headers: { authorization: `Bearer ${from.keys[key]}`, "content-type": "application/json" },
    body: JSON.stringify({ model: from.models.plain, messages: [{ role: "user", content: "Hello" }], ...body }),
  });

const call = async (path: string, body: object, from = announced) => {
  const answer = await fetch(`${from.router}/${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${from.keys["prepaid"]}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return answer.json();
};

const visible = async (key: string): Promise<string[]> => {
  const answer = await fetch(`${announced.router}/models`, {
    headers: { authorization: `Bearer ${announced.keys[key]}` },
  });
  const { data }: { data: { id: string }[] } = await answer.json();
  return data.map(({ id }) => id);
};

beforeAll(async () => {
  [quickstart, announced] = await start();
});
afterAll(() => endQuickstart(quickstart));

describe("the demo keys", () => {
  it.each([
    ["prepaid", 200],
    ["subscription", 200],
    ["restricted", 200],
    ["limited", 200],
    ["empty", 402],
    ["expired", 401],
    ["revoked", 401],
  ])("%s is answered with %i", async (key, status) => {
    const answer = await post(key);
    expect([answer.status, await answer.json()]).toMatchObject([status, status === 200 ? { choices: [{}] } : {}]);
  });

  it("the prepaid key may use all but the hidden model, and the restricted key only the plain model", async () => {
    const { plain, reasoning, hidden, embedding } = announced.models;
    expect(await visible("prepaid")).toEqual([plain, reasoning, embedding]);
    expect(await visible("restricted")).toEqual([plain]);
    expect(await visible("subscription")).toEqual([plain, reasoning, hidden, embedding]);
    expect((await post("prepaid", { model: hidden })).status).toBe(404);
    expect((await post("subscription", { model: hidden })).status).toBe(200);
  });

  it("the subscription does not include response_format", async () => {
    const body = { response_format: { type: "json_object" } };
    expect((await post("subscription", body)).status).toBe(403);
    expect((await post("prepaid", body)).status).toBe(200);
  });

  it("the plain model accepts images, and the reasoning model reasons", async () => {
    const image = { type: "image_url", image_url: { url: "data:image/png;base64,AA==" } };
    const messages = [{ role: "user", content: [image] }];
    expect((await post("prepaid", { messages })).status).toBe(200);
    const answer = await post("prepaid", { model: announced.models.reasoning, reasoning_effort: "high" });
    const { choices }: { choices: { message: { reasoning_content: string } }[] } = await answer.json();
    expect(choices[0]?.message.reasoning_content).toMatch(/^The user wrote 1 word\./);
  });

  it("every response to a valid key has rate limit headers", async () => {
    const answer = await post("prepaid");
    expect(answer.headers.get("x-ratelimit-limit")).toBe("100000");
    expect((await post("subscription")).headers.get("x-ratelimit-limit")).toBe("600");
  });

  it("the limited key may send five requests per minute", async () => {
    const [own, other] = await start();
    try {
      const statuses: number[] = [];
      for (let request = 0; request < 6; request += 1) statuses.push((await post("limited", {}, other)).status);
      expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    } finally {
      await endQuickstart(own);
    }
  });
});

describe("the terms", () => {
  it("block the account until it accepts them on the page at acceptUrl", async () => {
    const refused = await post("terms");
    const { acceptUrl }: { acceptUrl: string } = await refused.json();
    expect(refused.status).toBe(428);

    const page = await (await fetch(acceptUrl)).text();
    expect(page).toContain('<form method="post">');
    expect(page).toContain('value="terms"');

    const accepted = await fetch(acceptUrl, { method: "POST" });
    expect(await accepted.text()).toContain('The account "terms" accepted the terms');
    expect((await post("terms")).status).toBe(200);
  });

  it("read the account from the form and escape unknown values", async () => {
    const url = new URL("/terms", announced.router);
    const send = (account: string) =>
      fetch(url, { method: "POST", headers: { accept: "text/html" }, body: new URLSearchParams({ account }) });
    expect((await send("prepaid")).status).toBe(200);
    const unknown = await send("<b>");
    expect(unknown.status).toBe(404);
    expect(await unknown.text()).not.toContain("<b>");
  });
});

describe("an invalid form of the terms", () => {
  it.each([
    ["too large", "application/x-www-form-urlencoded", "a".repeat(9_000)],
    ["of an unknown charset", "application/x-www-form-urlencoded; charset=nonsense", "account=terms"],
  ])("is answered with 400 without a stack trace if it is %s", async (_title, type, body) => {
    const url = new URL("/terms", announced.router);
    const answer = await fetch(url, { method: "POST", headers: { "content-type": type }, body });
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringMatching(/^The form could not be read\./)]);
    expect(quickstart.output.stderr).toBe("");
  });
});

describe("a stream", () => {
  it("is sent word by word and ends with usage and [DONE]", async () => {
    const answer = await post("prepaid", { stream: true });
    const frames = (await answer.text()).split("\n\n").filter((frame) => frame.startsWith("data: "));
    expect(frames.length).toBeGreaterThan(4);
    expect(frames.at(-1)).toBe("data: [DONE]");
    expect(frames.at(-2)).toContain('"usage":{');
  });

  it.each(["SIGINT", "SIGTERM"] as const)("is completed before %s ends the process with 0", async (signal) => {
    const [own, other] = await start();
    const messages = [{ role: "user", content: "word ".repeat(40) }];
    const answer = await post("prepaid", { stream: true, messages }, other);
    own.process.kill(signal);
    expect(await answer.text()).toMatch(/data: \[DONE\]\n\n$/);
    expect(await own.exit).toBe(0);
  });

  it("is interrupted immediately by a second Ctrl-C", async () => {
    const [own, other] = await start();
    const messages = [{ role: "user", content: "word ".repeat(1_000) }];
    const answer = await post("prepaid", { stream: true, messages }, other);
    own.process.kill("SIGINT");
    await new Promise((resolve) => setTimeout(resolve, 500));
    own.process.kill("SIGINT");
    expect(await own.exit).toBe(130);
    await expect(answer.text()).rejects.toThrow();
  });
});

it("stores responses, so that another one can continue them", async () => {
  const { plain: model } = announced.models;
  const { id }: { id: string } = await call("responses", { model, input: "Hello" });
  const next = await call("responses", { model, input: "Again", previous_response_id: id });
  expect(next).toMatchObject({ status: "completed", previous_response_id: id });
  expect(JSON.stringify(next)).toContain("You said: Again (after 2 earlier messages)");
});

it("uses the upstream at OPENAI_BASE_URL", async () => {
  const { prepaid = "" } = announced.keys;
  const upstream = {
    OPENAI_BASE_URL: announced.router,
    OPENAI_API_KEY: prepaid,
    OPENAI_MODEL: announced.models.plain,
    OPENAI_REASONING_MODEL: announced.models.reasoning,
    OPENAI_EMBEDDING_MODEL: announced.models.embedding,
  };
  const [own, other] = await start({ QUICKSTART_OFFLINE: "", ...upstream });
  try {
    const answer = await post("prepaid", {}, other);
    expect(await answer.json()).toMatchObject({
      model: other.models.plain,
      choices: [{ message: { content: "You said: Hello" } }],
    });
    const stream = await (await post("prepaid", { stream: true }, other)).text();
    expect(stream).toMatch(/"content":" Hello"(?:.|\n)*data: \[DONE\]\n\n$/);
    const thought = await post("prepaid", { model: other.models.reasoning }, other);
    expect(await thought.json()).toMatchObject({ choices: [{ message: { reasoning_content: expect.any(String) } }] });
    const embed = { model: other.models.embedding, input: ["red", "green"], dimensions: 4 };
    expect(await call("embeddings", embed, other)).toEqual(await call("embeddings", embed));
    expect(await call("embeddings", embed)).toMatchObject({ data: [{ index: 0 }, { index: 1 }] });
  } finally {
    await endQuickstart(own);
  }
});

describe("starting", () => {
  it("prints one line of JSON and nothing else with QUICKSTART_JSON", () => {
    expect(quickstart.output.stdout.split("\n")).toHaveLength(2);
  });

  it.each([
    ["a port in use", () => new URL(announced.router).port, "The port is in use"],
    ["an invalid port", () => "eighty", 'PORT is "eighty"'],
  ])("prints what to do about %s and exits with 1", async (_title, port, words) => {
    const own = startQuickstart({ PORT: port() });
    expect(await own.exit).toBe(1);
    expect(own.output.stderr).toContain(words);
  });
});
