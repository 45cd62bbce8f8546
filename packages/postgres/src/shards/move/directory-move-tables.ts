import type { Tables } from "../../schema.ts";

const id = `text COLLATE "C"`;

/** The migration of a directory that adds the moves that run, or that a killed process has left. */
export const directoryMoveTables = ({ directoryAccount, directoryMove, directoryShard }: Tables): readonly string[] => [
  // Each process that takes a move over gives it another epoch, by which the shards refuse the ones before.
  `CREATE TABLE ${directoryMove} (
     account_id ${id} PRIMARY KEY REFERENCES ${directoryAccount},
     source ${id} NOT NULL REFERENCES ${directoryShard},
     target ${id} NOT NULL REFERENCES ${directoryShard} CHECK (target <> source),
     step ${id} NOT NULL CHECK (step IN ('copying', 'frozen', 'undoing', 'moved')),
     epoch bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
     leased_until timestamptz NOT NULL,
     started_at timestamptz NOT NULL DEFAULT clock_timestamp()
   )`,
];
