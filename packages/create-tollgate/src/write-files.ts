import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Writes files to a folder that is empty or does not exist. If that fails, it removes what it wrote and throws the error of
 * the file system. It is not interrupted by Ctrl-C.
 */
export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  // With a listener a signal does not end the process, and nothing else runs until all files are written.
  const wait = (): void => undefined;
  for (const signal of signals) process.on(signal, wait);
  const created = mkdirSync(folder, { recursive: true });
  try {
    for (const [path, text] of Object.entries(files)) writeOne(join(folder, path), text);
  } catch (error) {
    const written = created === undefined ? topLevel(files).map((path) => join(folder, path)) : [created];
    for (const path of written) rmSync(path, { recursive: true, force: true });
    throw error;
  } finally {
    for (const signal of signals) process.off(signal, wait);
  }
}

/** Only the owner may read the file with the password. */
function writeOne(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { flag: "wx", mode: path.endsWith(".env") ? 0o600 : 0o666 });
}

const topLevel = (files: Readonly<Record<string, string>>): readonly string[] => [
  ...new Set(Object.keys(files).map((path) => path.replace(/\/.*/, ""))),
];
