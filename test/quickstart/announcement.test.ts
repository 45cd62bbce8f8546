import { execFile } from "node:child_process";
import { readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { dataFolder, endQuickstart, type Quickstart, startQuickstart, written } from "./start-quickstart.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
const guide = readFileSync(`${root}docs/guides/try-every-status.md`, "utf8");
const [, statuses = "", apis = "", operators = "", conversation = ""] = [...guide.matchAll(/```sh\n(.*?)```/gs)].map(
  ([, block = ""]) => block,
);

let quickstart: Quickstart;
let folder: string;
let text: string;

beforeAll(async () => {
  folder = dataFolder();
  quickstart = startQuickstart({ PORT: "0", QUICKSTART_DATA: folder });
  const found = await written(quickstart, /.*Ctrl-C.*\n$/s);
  text = found[0];
});
afterAll(async () => {
  await endQuickstart(quickstart);
  rmSync(folder, { recursive: true });
});

/** Runs a block of the guide with the variables of the quickstart. */
async function paste(block: string): Promise<string> {
  const env = { ...process.env, QUICKSTART_DATA: folder };
  const { stdout } = await run("bash", ["-c", `source ${folder}/quickstart.env\n${block}`], { cwd: root, env });
  return stdout;
}

it("the quickstart prints one screen, with a key, a request and a snippet", () => {
  expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(22);
  expect(text).toMatch(/^Router +(http:\/\/127\.0\.0\.1:\d+\/router)\/v1\n +\1 for clients of Anthropic/m);
  expect(text).toMatch(/^API key +tg_\w{38}$/m);
  expect(text).toContain("answered by the built-in offline provider");
  expect(text).toContain(join(folder, "quickstart.db"));
});

it("the printed curl command works as pasted", async () => {
  const [line = ""] = /^curl .*$/m.exec(text) ?? [];
  const { stdout } = await run("bash", ["-c", line]);
  expect(JSON.parse(stdout).choices[0].message.content).toContain("Hello from curl");
});

it("all demo keys are in a file that only its owner may read", () => {
  const file = join(folder, "quickstart.env");
  expect(text).toContain(file);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, "utf8").match(/^[A-Z]+_KEY=tg_\w{38}$/gm)).toHaveLength(8);
});

it("every request of the guide returns the status above it", async () => {
  const titles = [...statuses.matchAll(/^# (\d{3}): /gm)].map(([, status]) => status);
  expect(titles).toEqual("200 200 200 400 401 401 401 402 403 404 413 428 200 429".split(" "));
  const printed = (await paste(statuses)).split("\n").filter((line) => /^\d{3}$/.test(line));
  const limited = ["200", "200", "200", "200", "200"];
  expect(printed).toEqual([...titles.slice(0, -1), ...limited, "429"]);
});

it("every request to the other APIs of the guide works as pasted", async () => {
  const output = await paste(apis);
  const lines = output.split("\n");
  expect(lines.filter((line) => /^\d{3}$/.test(line))).toEqual([...apis.matchAll(/^# 200: /gm)].map(() => "200"));
  const [response, message, tokens, embeddings] = lines
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line));
  expect(response).toMatchObject({ object: "response", status: "completed", model: "everyday-1" });
  expect(message).toMatchObject({ type: "message", content: [{ type: "text", text: "You said: Hello from curl" }] });
  expect(tokens).toEqual({ input_tokens: expect.any(Number) });
  expect(embeddings).toMatchObject({ object: "list", model: "vectors-1", usage: { prompt_tokens: 4 } });
  expect(embeddings.data[0].embedding).toHaveLength(8);
});

it("the guide's own key works as pasted, from the root of the repository", async () => {
  const output = await paste(operators);
  expect(output).toContain('The account "acme" accepted the terms');
  const [secret] = /tg_\w{38}/.exec(output) ?? [];
  const [, router = ""] = /^Router +(\S+)/m.exec(text) ?? [];
  const answer = await fetch(`${router}/models`, { headers: { authorization: `Bearer ${secret}` } });
  expect(answer.status).toBe(200);
});

it("the guide's conversation works as pasted", async () => {
  const output = await paste(`JSON='Content-Type: application/json'\n${conversation}`);
  const [id = "", updated = "", completion = "", ...rest] = output.trimEnd().split("\n");
  expect(id).toMatch(/^[0-9a-f-]{36}$/);
  expect(JSON.parse(updated)).toMatchObject({ id, client_data: { customer: "Ann & Bob" } });

  const { choices } = JSON.parse(completion);
  expect(choices).toMatchObject([{ finish_reason: "stop" }]);
  expect(resultOf(choices[0].message.content, "find_order")).toMatchObject({
    ok: true,
    directive: "Say in one sentence where the order is.",
    response: { number: 1234, customer: "Ann & Bob", state: "on its way, arrives tomorrow" },
  });

  const frames = rest.filter((line) => line.startsWith("data: {")).map((line) => JSON.parse(line.slice(6)));
  const streamed = frames.map((frame) => frame.choices[0]?.delta.content ?? "").join("");
  const prints = ["https://pictures.example/cat.png", "https://pictures.example/dog.png"];
  const order = { article: "mugs", quantity: 2, customer: "Ann & Bob", prints, number: 1002 };
  expect(resultOf(streamed, "create_order")).toMatchObject({ ok: true, status: 201, response: order });
  expect(rest.filter((line) => line === "data: [DONE]")).toHaveLength(1);

  expect(JSON.parse(rest.at(-1) ?? "").data).toMatchObject([
    { trigger: "create_order", session_id: id, outcome: "succeeded", merged_keys: ["last_order"] },
    { trigger: "find_order", session_id: id, outcome: "succeeded", merged_keys: ["last_order"] },
  ]);
});

/** Returns the result of a call, which the offline provider quotes. */
function resultOf(content: string, trigger: string): unknown {
  expect(content).toMatch(new RegExp(`^${trigger} answered: \\{`));
  return JSON.parse(content.slice(content.indexOf("{")));
}

it("the password of the dashboard is printed at the first start, stays the same, and is in the file then", async () => {
  const file = join(folder, "quickstart.env");
  const passwordOf = () => /^DASHBOARD_PASSWORD=(.*)$/m.exec(readFileSync(file, "utf8"))?.[1] ?? "none";
  const password = passwordOf();
  expect(text).toContain(`user admin, password ${password}\n`);
  const second = startQuickstart({ PORT: "0", QUICKSTART_DATA: folder });
  const [again] = await written(second, /.*Ctrl-C.*\n$/s);
  const [, url = ""] = /^Dashboard +(\S+)$/m.exec(again) ?? [];
  const authorization = `Basic ${btoa(`admin:${password}`)}`;
  expect((await fetch(url, { headers: { authorization } })).status).toBe(200);
  await endQuickstart(second);
  expect(again).not.toContain(password);
  expect(again).toContain(file);
  expect(passwordOf()).toBe(password);
});
