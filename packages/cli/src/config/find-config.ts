import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { Failure } from "../failure.ts";

const names = ["tollgate.config.mjs", "tollgate.config.js", "tollgate.config.ts"];

/** Returns the path of the config file: the given one, or the first default name that exists in the folder. */
export function findConfig(folder: string, given: string | undefined): string {
  const candidates = given === undefined ? names : [given];
  const found = candidates.map((name) => resolve(folder, name)).find((path) => existsSync(path));
  if (found !== undefined) return found;
  throw new Failure(
    "config",
    given === undefined
      ? `There is no config file: ${folder} has none of ${names.join(", ")}. ` +
          "Create one that exports your stores by default, or name one with --config <file>."
      : `The config file ${resolve(folder, given)} does not exist. Pass the path of a file that exports your stores by default.`,
  );
}
