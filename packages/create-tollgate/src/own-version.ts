import { readFileSync } from "node:fs";

/** The version of this package, and of all other packages of Tollgate. */
export const ownVersion: string = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version;
