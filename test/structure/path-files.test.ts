import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const run = promisify(execFile);

it("a stream adds at most 24 source files to what an answer in one piece executes", async () => {
  const { stdout } = await run(process.execPath, ["test/structure/count-path-files.mjs"]);
  const { json, stream }: Record<"json" | "stream", readonly string[]> = JSON.parse(stdout);
  const added = stream.filter((file) => !json.includes(file));
  expect(added).toContain("packages/core/src/answering/stream/completion-stream.ts");
  expect(added.length, added.join("\n")).toBeLessThanOrEqual(24);
}, 60_000);
