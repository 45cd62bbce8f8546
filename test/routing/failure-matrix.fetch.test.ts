import { fetchTransport } from "@tollgate/core";
import { askByFetch } from "./ask.ts";
import { rows, runMatrix } from "./matrix.ts";

// `fetch` decompresses what comes, and does not tell when it has connected.
const others = ["gzip", "400 in gzip", "a stream in gzip", "TLS that hangs"];

runMatrix({
  name: "fetchTransport, asked by fetch",
  rows: rows.filter(({ name }) => !others.includes(name)),
  beside: ["a healthy target"],
  ask: askByFetch,
  transport: () => fetchTransport(),
});
