import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const run = promisify(execFile);

it("a completion executes few source files of core and node", async () => {
  const { stdout } = await run(process.execPath, ["test/structure/count-path-files.mjs"]);
  const { json, stream }: Record<"json" | "stream", readonly string[]> = JSON.parse(stdout);
  expect(json).toContain("packages/core/src/answering/json/complete.ts");
  expect(stream).toContain("packages/core/src/answering/stream/completion-stream.ts");
  // 62, and runtime/timers.ts if a timer fires meanwhile, as on a busy machine.
  expect(json.length, json.join("\n")).toBeLessThanOrEqual(63);
  expect(stream.length, stream.join("\n")).toBeLessThanOrEqual(80);
}, 60_000);
