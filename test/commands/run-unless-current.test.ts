import { mkdirSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { digestOf, runUnlessCurrent } from "../../scripts/workspace/run-unless-current.mjs";

describe("a step of the build", () => {
  let folder: string;
  let runs: number;
  let whileRunning: () => void;
  const pathOf = (name: string): string => join(folder, name);

  /** Runs the step, which writes `built/all.js` from the files of `sources`. */
  const step = (): void =>
    runUnlessCurrent(
      {
        name: "step",
        sources: () => digestOf({ paths: ["sources", "absent"], except: /\.md$/, by: "contents" }, folder),
        outputs: () => digestOf({ paths: ["built"], by: "times" }, folder),
        run: () => {
          runs += 1;
          writeFileSync(pathOf("built/all.js"), "built");
          whileRunning();
        },
      },
      folder,
    );

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "tollgate-step-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    for (const name of ["sources/inner", "built"]) mkdirSync(pathOf(name), { recursive: true });
    writeFileSync(pathOf("sources/inner/one.ts"), "one");
    runs = 0;
    whileRunning = () => undefined;
    step();
    step();
    expect(runs).toBe(1);
  });

  it.each<[string, () => void]>([
    [
      "a source with the same size and time has other contents",
      () => rewriteAtSameTime(pathOf("sources/inner/one.ts")),
    ],
    ["a source is added", () => writeFileSync(pathOf("sources/two.ts"), "")],
    ["a source is removed", () => rmSync(pathOf("sources/inner/one.ts"))],
    [
      "a source is renamed",
      () => {
        rmSync(pathOf("sources/inner/one.ts"));
        writeFileSync(pathOf("sources/inner/two.ts"), "one");
      },
    ],
    ["an output is removed", () => rmSync(pathOf("built"), { recursive: true })],
    ["an output is written by something else", () => writeFileSync(pathOf("built/all.js"), "other")],
  ])("runs again after %s, and then no more", (_title, change) => {
    change();
    mkdirSync(pathOf("built"), { recursive: true });
    step();
    step();
    expect(runs).toBe(2);
  });

  it("runs again if a source changed while it ran", () => {
    writeFileSync(pathOf("sources/two.ts"), "before");
    whileRunning = () => writeFileSync(pathOf("sources/two.ts"), "after");
    step();
    whileRunning = () => undefined;
    step();
    step();
    expect(runs).toBe(3);
  });

  it("runs again if it failed, although nothing has changed since", () => {
    writeFileSync(pathOf("sources/two.ts"), "");
    whileRunning = () => {
      throw new Error("The build fails.");
    };
    expect(step).toThrow("The build fails.");
    rmSync(pathOf("sources/two.ts"));
    whileRunning = () => undefined;
    step();
    expect(runs).toBe(3);
  });

  it("does not run for a file that it does not read", () => {
    writeFileSync(pathOf("sources/README.md"), "");
    step();
    expect(runs).toBe(1);
  });
});

/** Changes "one" to "two", as an editor within the resolution of the clock would. */
function rewriteAtSameTime(path: string): void {
  const { atime, mtime } = statSync(path);
  writeFileSync(path, "two");
  utimesSync(path, atime, mtime);
}
