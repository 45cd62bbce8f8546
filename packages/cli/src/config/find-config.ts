import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { Failure } from "../failure.ts";

const names = ["tollgate.config.mjs", "tollgate.config.js", "tollgate.config.ts"];

/** The path of the config file: the one given, or the first of the usual names that is in the folder. */
export function findConfig(folder: string, given: string | undefined): string {
  const looked = given === undefined ? names : [given];
  const found = looked.map((name) => resolve(folder, name)).find((path) => existsSync(path));
  if (found !== undefined) return found;
  throw new Failure(
    "config",
    given === undefined
      ? `There is no config file: ${names.join(", ")} were looked for in ${folder}. ` +
          "Write one that exports your stores by default, or name one with --config <file>."
      : `There is no config file ${resolve(folder, given)}. Give the path of one that exports your stores by default.`,
  );
}
