import { once } from "node:events";
import type { Server } from "node:net";
import { login } from "./dashboard.ts";
import { createFirstKey } from "./first-key.ts";
import { gateway } from "./gateway.ts";

export const host = process.env.HOST ?? "127.0.0.1";
export const port = Number(process.env.PORT ?? 8787);

/** Prints how to use the server once it listens, and lets running requests finish when the process is told to stop. */
export async function run(server: Server): Promise<void> {
  if (!server.listening) await once(server, "listening").catch(failToListen);
  const key = await createFirstKey();
  console.log(`Dashboard  http://${host}:${port}/dashboard/`);
  console.log(`           user ${login.user}, password in .env (DASHBOARD_PASSWORD)`);
  console.log(`Router     http://${host}:${port}/router/v1`);
  console.log(`API key    ${key ?? "printed at the first start; the dashboard creates more"}`);

  const stop = async () => {
    server.close();
    await gateway.drain({ timeoutMs: 10_000 });
    process.exit();
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
}

/** Says how to free the port if another program uses it. */
export function failToListen(error: NodeJS.ErrnoException): never {
  if (error.code !== "EADDRINUSE") throw error;
  console.error(`Port ${port} is in use. Stop the program that uses it, or set another PORT in .env.`);
  process.exit(1);
}
