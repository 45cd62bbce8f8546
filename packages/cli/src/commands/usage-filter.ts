import type { Command } from "commander";
import { readText } from "../input/text.ts";
import { readPastTime } from "../input/times.ts";

/** The options that select requests. They have the names of the filters of the operations. */
export interface FilterOptions {
  readonly from?: Date;
  readonly to?: Date;
  readonly account?: string;
  readonly key?: string;
  readonly model?: string;
  readonly target?: string;
  readonly session?: string;
  readonly tag?: string;
  readonly failed?: true;
  readonly refused?: true;
}

/** Adds the options that select requests. */
export const addFilterOptions = (command: Command): Command =>
  command
    .option("--from <time>", "the first time: a date, a timestamp, or a duration ago", readPastTime("--from"))
    .option("--to <time>", "the time after the last one (default: now)", readPastTime("--to"))
    .option("--account <account>", "only this account", readText("--account"))
    .option("--key <id>", "only this key", readText("--key"))
    .option("--model <id>", "only this model", readText("--model"))
    .option("--target <provider/model>", "only this target", readText("--target"))
    .option("--session <id>", "only this session", readText("--session"))
    .option("--tag <tag>", "only keys with this tag", readText("--tag"))
    .option("--failed", "only failures: a status of 500 or more, or a broken stream")
    .option("--refused", "only refusals: a status of 400 to 499");
