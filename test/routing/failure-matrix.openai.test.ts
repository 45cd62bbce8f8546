import { pooledTransport } from "@tollgate/node";
import { askByOpenAI } from "./ask.ts";
import { rows, runMatrix } from "./matrix.ts";

runMatrix({
  name: "pooledTransport, asked by the official OpenAI client",
  rows,
  beside: ["nothing"],
  ask: askByOpenAI,
  transport: () => pooledTransport(),
});
