import { pathToFileURL } from "node:url";
import { Failure, reasonOf } from "../failure.ts";
import type { Records, RecordsSource } from "../records.ts";
import { checkRecords } from "./check-records.ts";

/** Runs the config file and gives the records that it exports by default; throws a Failure that names the file. */
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
  } catch (fault) {
    throw new Failure("config", isUnknownKind(fault) ? newerNode(file) : unloadable(file, fault));
  }
}

const isUnknownKind = (fault: unknown): boolean =>
  fault instanceof Error && "code" in fault && fault.code === "ERR_UNKNOWN_FILE_EXTENSION";

const newerNode = (file: string): string =>
  `${file} cannot be loaded: Node ${process.versions.node} does not read such files. ` +
  "Write it as JavaScript (.mjs), or use Node 22.18 or newer for TypeScript.";

const unloadable = (file: string, fault: unknown): string =>
  `${file} cannot be loaded: ${reasonOf(fault)}. Correct the file, or what it connects to, and try again.`;
