import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { writeFiles } from "./target-folder.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "write-files-"));
});
afterEach(() => rmSync(root, { recursive: true }));

/** Its last file cannot be written, since its folder is a file. */
const failing = { "one.txt": "1", "src/two.txt": "2", "one.txt/three.txt": "3" };

describe("writeFiles", () => {
  it("writes files in new folders", () => {
    writeFiles(join(root, "a/b"), { "one.txt": "1", "src/two.txt": "2" });
    expect(readFileSync(join(root, "a/b/src/two.txt"), "utf8")).toBe("2");
  });

  it("removes what it wrote if it fails", () => {
    expect(() => writeFiles(join(root, "a/b"), failing)).toThrow();
    expect(existsSync(join(root, "a"))).toBe(false);
    mkdirSync(join(root, "empty"));
    expect(() => writeFiles(join(root, "empty"), failing)).toThrow();
    expect(readdirSync(join(root, "empty"))).toEqual([]);
  });

  it("leaves no listener for signals", () => {
    const before = process.listenerCount("SIGINT");
    writeFiles(join(root, "a"), { "one.txt": "1" });
    expect(process.listenerCount("SIGINT")).toBe(before);
  });
});
