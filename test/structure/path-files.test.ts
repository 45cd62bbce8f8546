import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const run = promisify(execFile);

it("a completion executes few source files of core and node", async () => {
  const { stdout } = await run(process.execPath, ["test/structure/count-path-files.mjs"]);
  const { json, stream }: Record<"json" | "stream", readonly string[]> = JSON.parse(stdout);
  expect(json).toContain("packages/core/src/answering/json/complete.ts");
  expect(stream).toContain("packages/core/src/answering/stream/completion-stream.ts");
  // A timer that fires during the request does not belong to it.
  const ofRequest = json.filter((file) => file !== "packages/core/src/runtime/timers.ts");
  expect(ofRequest.length, ofRequest.join("\n")).toBeLessThanOrEqual(64);
  expect(stream.length, stream.join("\n")).toBeLessThanOrEqual(80);
}, 60_000);
