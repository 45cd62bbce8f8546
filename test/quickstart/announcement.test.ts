import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { endQuickstart, type Quickstart, startQuickstart, written } from "./start-quickstart.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));

let quickstart: Quickstart;
let text: string;

beforeAll(async () => {
  quickstart = startQuickstart({ PORT: "0" });
  const found = await written(quickstart, /.*Ctrl-C.*\n$/s);
  text = found[0];
});
afterAll(() => endQuickstart(quickstart));

/** The commands of the text with the titles above them, in order. */
const commands = () =>
  [...text.matchAll(/^# (\d{3}): (.*)\n(.+)$/gm)].map(([, status = "", title = "", line = ""]) => ({
    status,
    title,
    line,
  }));

it("every curl command returns the status in its title, in the printed order", async () => {
  expect(commands().map(({ status }) => status)).toEqual(
    "200 200 200 400 401 401 401 402 403 404 413 428 200 429".split(" "),
  );
  for (const { status, title, line } of commands()) {
    const { stdout } = await run("bash", ["-c", line]);
    const hasStatus =
      status === "200" && !line.includes("%{http_code}") ? !stdout.includes('"error"') : stdout.trim().endsWith(status);
    expect(hasStatus, `${title}: ${line}\n${stdout}`).toBe(true);
  }
});

it("the conversation with the assistant works as pasted", async () => {
  const [script = ""] = /^# A conversation with the assistant.*?(?=\n\n)/ms.exec(text) ?? [];
  expect(script.split("\n").filter((line) => !line.startsWith("#"))).toHaveLength(5);
  const { stdout } = await run("bash", ["-c", script]);
  const [id = "", updated = "", completion = "", ...rest] = stdout.trimEnd().split("\n");
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
  const order = { article: "mugs", quantity: 2, customer: "Ann & Bob", prints, number: 1001 };
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

it("the commands for operators work as pasted, from the root of the repository", async () => {
  const lines = /^# Create your own key.*\n(.+)\n(.+)\n/m.exec(text)?.slice(1) ?? [];
  const outputs: string[] = [];
  for (const line of lines) outputs.push((await run("bash", ["-c", line], { cwd: root })).stdout);
  const [created = "", accepted] = outputs;
  expect(accepted).toContain('The account "acme" accepted the terms');
  const [secret] = /tg_\w{38}/.exec(created) ?? [];
  const [, router = ""] = /^Tollgate is mounted at (\S+)/.exec(text) ?? [];
  const answer = await fetch(`${router}/models`, { headers: { authorization: `Bearer ${secret}` } });
  expect(answer.status).toBe(200);
});

it("names every key, the provider and the location of the data", () => {
  expect(text).toMatch(/^Tollgate is mounted at http:\/\/127\.0\.0\.1:\d+\/router\/v1\n/);
  expect(text).toContain("answered by the built-in offline provider");
  expect(text).toMatch(/^Data is kept in \/.*\/quickstart\.db\. To start over, stop the quickstart and remove/m);
  for (const name of ["prepaid", "subscription", "restricted", "limited", "empty", "terms", "expired", "revoked"]) {
    expect(text).toMatch(new RegExp(`^ {2}${name} +tg_\\w{38} `, "m"));
  }
});
