import { once } from "node:events";
import { createServer } from "node:http";
import { tollgate } from "@tollgate/express";
import express from "express";
import type { Environment } from "./environment.ts";
import { openGateway, prefix } from "./gateway.ts";
import { openRecords } from "./records.ts";

/** Runs one worker: an ordinary host with shared stores. Returns a function that stops it. */
export async function startWorker(environment: Environment): Promise<() => Promise<void>> {
  const records = await openRecords(environment);
  const gateway = openGateway(records);
  const app = express();
  app.use(prefix, tollgate(gateway));
  const server = createServer(app);
  server.listen(environment.port, environment.host);
  await once(server, "listening").catch((cause: Error) => {
    throw new Error(`${cause.message}. Free the port, or set another one as PORT.`, { cause });
  });
  return async () => {
    server.close();
    server.closeIdleConnections();
    await gateway.drain({ timeoutMs: environment.drainMs });
    await records.close();
    server.closeAllConnections();
  };
}
