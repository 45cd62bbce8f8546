import { closeSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";
import { DatabaseSync } from "@photostructure/sqlite"; // from Node 22 on, "node:sqlite" has the same class
import { privateFile } from "@tollgate/sqlite";

const [, , file, copy] = process.argv;
if (file === undefined || copy === undefined) throw new Error("Name the database and the file of the copy.");

const unfinished = `${copy}.unfinished`;
rmSync(unfinished, { force: true });
const database = new DatabaseSync(file, { readOnly: true });
database.prepare("VACUUM INTO ?").run(privateFile(unfinished));
database.close();

// SQLite does not wait until the copy is on the disk.
const written = openSync(unfinished, "r+");
fsyncSync(written);
closeSync(written);
renameSync(unfinished, copy);
