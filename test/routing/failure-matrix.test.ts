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
