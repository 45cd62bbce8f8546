import { pathToFileURL } from "node:url";
import { Failure, reasonOf } from "../failure.ts";
import type { Records, RecordsSource } from "../records.ts";
import { checkRecords } from "./check-records.ts";

/** Runs the config file and returns its default export. Throws a Failure that names the file. */
export async function loadRecords(file: string): Promise<Records> {
  const records = await runFile(file);
  const problem = checkRecords(records);
  if (problem !== undefined) throw new Failure("config", `${file}: ${problem}`);
  return records;
}

async function runFile(file: string): Promise<Records> {
  try {
    const { default: source }: { readonly default: RecordsSource } = await import(pathToFileURL(file).href);
    return await (typeof source === "function" ? source() : source);
  } catch (error) {
    throw new Failure("config", isUnknownKind(error) ? newerNode(file) : unloadable(file, error));
  }
}

const isUnknownKind = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ERR_UNKNOWN_FILE_EXTENSION";

const newerNode = (file: string): string =>
  `${file} cannot be loaded: Node ${process.versions.node} does not support this file type. ` +
  "Write it in JavaScript (.mjs), or use Node 22.18 or newer for TypeScript.";

const unloadable = (file: string, error: unknown): string =>
  `${file} cannot be loaded: ${reasonOf(error)}. Fix the file or the service that it connects to, and try again.`;
