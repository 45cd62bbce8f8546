import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Awaitable } from "@tollgate/core/internal";
import { Failure } from "../failure.ts";
import { loadRecords, type Records } from "../records.ts";

/** Where `tollgate prove` opens stores of its own, in which nothing is stored yet. */
export interface ProofPlace {
  /** The name of a schema that does not exist: lower-case letters, digits and underscores. */
  readonly schema: string;
  /** The path of an empty folder, which is removed at the end. */
  readonly folder: string;
}

/**
 * The export `prove` of a config file: opens new stores like those of the default export. `close` of the records is called
 * once at the end, and removes the schema.
 */
export type OpenProof = (place: ProofPlace) => Awaitable<Records>;

/** Calls a function with a new place, and removes its folder afterwards. */
export async function withPlace(use: (place: ProofPlace) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "tollgate-prove-"));
  try {
    await use({ schema: `tollgate_prove_${randomBytes(6).toString("hex")}`, folder });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Opens the stores of a place. Throws a Failure if the config file cannot open them. */
export const openPlace = (file: string, place: ProofPlace): Promise<Records> =>
  loadRecords(file, ({ prove }) => {
    if (!isOpenProof(prove)) throw new Failure("config", `${file} ${howToExport}`);
    return () => prove(place);
  });

const isOpenProof = (prove: unknown): prove is OpenProof => typeof prove === "function";

const howToExport =
  "has no export `prove`. Add a function that opens new stores, so that the proof touches no data of yours: " +
  "export const prove = ({ schema, folder }) => ({ keys, balances, close }); " +
  "with PostgreSQL, the stores are in `schema`, and `close` drops it; with SQLite, they are in a file in `folder`.";
