import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { freePort } from "../support/free-port.ts";

/** A shop that listens, in a process of its own. */
export interface StartedShop {
  readonly url: string;
  /** Sends SIGTERM, and resolves to the exit code. */
  stop(): Promise<number | null>;
  kill(): void;
}

/** Starts the shop in a folder as its page says. Rejects with what it printed if it ends first. */
export async function startShop(folder: string, settings: Readonly<Record<string, string>>): Promise<StartedShop> {
  const port = String(await freePort());
  const env = { PATH: process.env["PATH"], PORT: port, ...settings };
  // Node itself, because npx hands no signals on.
  const shop = spawn(process.execPath, ["--import", "tsx", "main.ts"], { cwd: folder, env, stdio: "pipe" });
  const exited = once(shop, "exit");
  const printed: string[] = [];
  shop.stderr.on("data", (chunk: Buffer) => printed.push(chunk.toString()));
  for await (const line of createInterface(shop.stdout)) {
    printed.push(line);
    const url = /^Shop +(\S+)\/signup$/.exec(line)?.[1];
    if (url === undefined) continue;
    shop.stdout.resume();
    return {
      url,
      stop: async () => {
        shop.kill("SIGTERM");
        const [code] = await exited;
        return code;
      },
      kill: () => void shop.kill("SIGKILL"),
    };
  }
  throw new Error(`The shop ended before it listened:\n${printed.join("\n")}`);
}
