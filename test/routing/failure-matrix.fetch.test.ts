import { fetchTransport } from "@tollgate/core";
import { askByFetch } from "./ask.ts";
import { rows, runMatrix } from "./matrix.ts";

// `fetch` does not tell when it has connected.
const others = ["TLS that hangs"];

runMatrix({
  name: "fetchTransport, asked by fetch",
  rows: rows.filter(({ name }) => !others.includes(name)),
  beside: ["a healthy target"],
  ask: askByFetch,
  transport: () => fetchTransport(),
});
