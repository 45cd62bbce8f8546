import { pooledTransport } from "@tollgate/node";
import { askByFetch } from "./ask.ts";
import { rows, runMatrix } from "./matrix.ts";

runMatrix({
  name: "pooledTransport, asked by fetch",
  rows,
  beside: ["nothing", "the same target, mended", "a healthy target", "a broken target"],
  ask: askByFetch,
  transport: () => pooledTransport(),
});

runMatrix({
  name: "a prompt that is too long, and a target with a larger window",
  rows: rows.filter(({ name }) => name.startsWith("400")),
  beside: ["a roomier target"],
  ask: askByFetch,
  transport: () => pooledTransport(),
});
