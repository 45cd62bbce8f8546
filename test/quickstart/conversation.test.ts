import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { endQuickstart, startQuickstart, written } from "./start-quickstart.ts";

const run = promisify(execFile);

it("the guide's conversation works as pasted, with the URL and the key replaced", async () => {
  const quickstart = startQuickstart({ PORT: "0", QUICKSTART_JSON: "1" });
  try {
    const [line] = await written(quickstart, /^\{.*\}\n/);
    const { sessions, keys }: { sessions: string; keys: { prepaid: string } } = JSON.parse(line);
    const script = conversation()
      .replace("KEY=tg_...", `KEY=${keys.prepaid}`)
      .replace("BASE=http://127.0.0.1:8787", `BASE=${sessions}`);
    const { stdout } = await run("bash", ["-c", script]);
    const [, id = ""] = /^([0-9a-f-]{36})\n/.exec(stdout) ?? [];
    expect(stdout).toContain('"client_data":{"customer":"Ann & Bob"}');
    expect(stdout).toContain('find_order answered: {\\"ok\\":true,\\"status\\":200,');
    expect(stdout).toContain("data: [DONE]\n\n");
    expect(stdout).not.toContain('"error":{');

    const headers = { authorization: `Bearer ${keys.prepaid}` };
    const logs = await fetch(`${sessions}/session/${id}/logs`, { headers });
    const { data }: { data: object[] } = await logs.json();
    expect(data).toMatchObject([
      { trigger: "create_order", outcome: "succeeded", request: { body: expect.stringContaining("cat.png") } },
      { trigger: "find_order", outcome: "succeeded" },
    ]);
    expect(stdout).toContain(JSON.stringify(data[0]));
  } finally {
    await endQuickstart(quickstart);
  }
});

/** The shell block of the guide that begins with a key. */
function conversation(): string {
  const [, script] = /```sh\n(KEY=tg_\.\.\.\nBASE=http:\/\/127\.0\.0\.1:8787\n.*?)```/s.exec(
    readFileSync("docs/guides/assistants.md", "utf8"),
  ) ?? [undefined, undefined];
  if (script === undefined)
    throw new Error("docs/guides/assistants.md has no conversation any more. Correct this test.");
  return script;
}
