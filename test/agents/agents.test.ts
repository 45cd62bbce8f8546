import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { blocksOf, readPage } from "../docs/markdown.ts";
import { endQuickstart, type Quickstart, startQuickstart, written } from "../quickstart/start-quickstart.ts";
import { type AgentShell, codeWord, openAgentShell } from "./agent-shell.ts";

let shell: AgentShell;
let quickstart: Quickstart;
let announced: { readonly router: string; readonly sessions: string; readonly keys: { readonly prepaid: string } };

beforeAll(async () => {
  shell = await openAgentShell();
  quickstart = startQuickstart({ PORT: "0", QUICKSTART_JSON: "1", QUICKSTART_DATA: join(shell.folder, ".tollgate") });
  announced = JSON.parse((await written(quickstart, /^\{.*\}$/m))[0]);
});
afterAll(async () => {
  await endQuickstart(quickstart);
  shell.close();
});

/** The block of a page that has this text. */
function blockWith(path: string, text: string): string {
  const block = blocksOf({ path, text: readPage(path) }).find(({ code }) => code.includes(text));
  if (block === undefined) throw new Error(`${path} has no block with ${text}.`);
  return block.code;
}

describe("the commands in the README of the quickstart", () => {
  const commands = (agent: string) => blockWith("examples/quickstart/README.md", `\n${agent}`);

  it.each(["claude -p", "opencode run"])("have %s read a file, and continue the conversation", async (agent) => {
    const output = await shell.run(commands(agent));
    expect(output).toContain(codeWord);
    expect(output).toContain("You said: Thanks (after");
  });

  it("have Codex look at an image, and continue the conversation", async () => {
    const output = await shell.run(commands("codex exec"));
    expect(output).toMatch(/view_image answered:.*\(with 1 image\)/s);
    expect(output).toContain("You said: Thanks (after");
  });
});

it("Codex gets text under its own default model, whose tools only the Responses API knows", async () => {
  const script = blockWith("examples/quickstart/README.md", "\ncodex exec").replace("-c model=everyday-1 ", "");
  const output = await shell.run(script);
  expect(output).toContain("You said: Look at docs/images/dashboard-usage.png");
  expect(output).toContain("You said: Thanks (after");
});

describe("the settings in the guide for clients", () => {
  /** A block of the guide with the address of the quickstart and ids of its models, as the guide asks for. */
  const settings = (text: string) =>
    blockWith("docs/guides/clients.md", text)
      .replaceAll("https://host.example", announced.sessions)
      .replaceAll("acme-large", "thinker-1")
      .replaceAll("acme-small", "everyday-1");
  const key = () => `export TOLLGATE_API_KEY=${announced.keys.prepaid}\n`;

  it("connect Claude Code", async () => {
    const script = settings("\nclaude").replace(/^claude$/m, 'claude -p "Read package.json"');
    expect(await shell.run(key() + script)).toContain(codeWord);
  });

  it("connect Codex", async () => {
    const task = '--profile acme "Look at docs/images/dashboard-usage.png"';
    const script = settings("\ncodex").replace("codex --profile acme", `codex exec ${task}`);
    expect(await shell.run(key() + script)).toContain("view_image answered:");
  });

  it("connect opencode", async () => {
    writeFileSync(join(shell.folder, "opencode.json"), settings("opencode.ai/config.json"));
    expect(await shell.run(`${key()}opencode run "Read package.json"`)).toContain(codeWord);
  });
});
