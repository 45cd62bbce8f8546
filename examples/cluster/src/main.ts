import cluster from "node:cluster";
import { readEnvironment } from "./environment.ts";
import { startPrimary } from "./primary.ts";
import { startWorker } from "./worker.ts";

async function main(): Promise<void> {
  const environment = readEnvironment(process.env);
  if (cluster.isWorker) return endOnSignal(await startWorker(environment));
  const [announcement, end] = await startPrimary(environment);
  endOnSignal(end);
  const { router, key, model } = announcement;
  if (process.env["CLUSTER_JSON"] === "1") return console.log(JSON.stringify(announcement));
  console.log(`${environment.workers} processes answer at ${router}. Try:

curl -s ${router}/chat/completions -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '{"model":"${model}","messages":[{"role":"user","content":"Hello"}]}'

Ctrl-C lets running requests finish and stops.`);
}

/** A terminal sends SIGINT to every process. Workers ignore it and wait for SIGTERM from the primary. */
function endOnSignal(end: () => Promise<void>): void {
  const finish = () => end().finally(() => process.exit());
  process.once("SIGTERM", finish);
  if (cluster.isWorker) process.on("SIGINT", () => undefined);
  else process.once("SIGINT", finish);
}

main().catch((error: unknown) => {
  console.error(`The cluster cannot start. ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
});
