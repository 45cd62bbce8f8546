import type { EntryQuery } from "@tollgate/core/store";
import type { Command } from "commander";
import { readChoice } from "../input/choices.ts";
import { readPastTime } from "../input/times.ts";

/** The filters of entries. */
export type EntryFilter = Pick<EntryQuery, "kind" | "from" | "to">;

/** Adds the options that filter entries. */
export const addEntryFilter = (command: Command): Command =>
  command
    .option("--kind <kind>", "only credit, debit, charge, expiry or late", readKind)
    .option("--from <time>", "only entries since a date, a timestamp or a duration ago", readPastTime("--from"))
    .option("--to <time>", "only entries before a date, a timestamp or a duration ago", readPastTime("--to"));

const readKind = readChoice("--kind", ["credit", "debit", "charge", "expiry", "late"]);
