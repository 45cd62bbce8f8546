import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, describe, expect, inject, it, vi } from "vitest";
import { Container } from "../deployment/container.ts";
import { freePort } from "../support/free-port.ts";

const databaseUrl = inject("postgres");
const schema = `rolling_${crypto.randomUUID().slice(0, 8)}`;
const folder = mkdtempSync(join(tmpdir(), "tollgate-haproxy-"));
const started: ChildProcess[] = [];

afterEach(async () => {
  for (const each of started) each.kill("SIGKILL");
  rmSync(folder, { recursive: true });
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
  await client.end();
});

const hasHaproxy = spawnSync("haproxy", ["-v"]).error === undefined;

describe.skipIf(databaseUrl === undefined || !hasHaproxy)(
  "a rolling restart behind HAProxy (needs PostgreSQL and haproxy)",
  () => {
    it("fails no request", async () => {
      const image = {
        command: [process.execPath, "dist/container.js"],
        folder: "examples/cluster",
        environment: {
          ...settings,
          DATABASE_URL: databaseUrl,
          SCHEMA: schema,
        },
      };
      const ports = await Promise.all([freePort(), freePort(), freePort()]);
      const [front, ...backends] = ports;
      const start = async (port: number | undefined) => {
        const container = await Container.start(image, port);
        started.push(container.process);
        return container;
      };
      const running = await Promise.all(backends.map(start));
      startHaproxy(ports);
      await vi.waitUntil(
        () =>
          fetch(`http://127.0.0.1:${front}/livez`).then(
            ({ ok }) => ok,
            () => false,
          ),
        20_000,
      );
      const secret = await newCustomer(running[0]);

      const statuses: number[] = [];
      let isDone = false;
      const client = async () => {
        while (!isDone) statuses.push(await complete(front, secret));
      };
      const clients = [client(), client(), client(), client()];
      for (const [index, container] of running.entries()) {
        await vi.waitUntil(() => hasAnswered(container), 30_000);
        expect(await container.terminate()).toBe(0);
        const restarted = await start(backends[index]);
        await vi.waitUntil(() => hasAnswered(restarted), 30_000);
      }
      isDone = true;
      await Promise.all(clients);
      expect(statuses.filter((status) => status !== 200)).toEqual([]);
      expect(statuses.length).toBeGreaterThan(20);
    }, 180_000);
  },
);

/** The settings of the unit. */
const settings = Object.fromEntries(
  [...readFileSync("examples/cluster/tollgate@.service", "utf8").matchAll(/(\w+_MS)=(\d+)/g)].map(
    ([, name = "", value = ""]) => [name, value],
  ),
);

/** Whether HAProxy sends requests to a process. */
async function hasAnswered(container: Container): Promise<boolean> {
  try {
    return (await (await container.metrics()).text()).includes("gen_ai_client_operation_duration_count{");
  } catch {
    // The server of the metrics may close a connection that is about to be used again.
    return false;
  }
}

/** Starts the example's HAProxy with other ports. */
function startHaproxy(ports: readonly number[]): void {
  const [front, first, second] = ports;
  const config = readFileSync("examples/cluster/haproxy.cfg", "utf8")
    .replace("127.0.0.1:8780", `127.0.0.1:${front}`)
    .replace("127.0.0.1:8781", `127.0.0.1:${first}`)
    .replace("127.0.0.1:8782", `127.0.0.1:${second}`);
  writeFileSync(join(folder, "haproxy.cfg"), config);
  started.push(spawn("haproxy", ["-f", join(folder, "haproxy.cfg")], { stdio: "ignore" }));
}

async function newCustomer(container: Container | undefined): Promise<string> {
  const key = await container?.manage("POST", "/keys", { account: "acme", plan: "prepaid" });
  await container?.manage("POST", "/accounts/acme/credits", { amount: "1", reason: "test" });
  return String(key?.["secret"]);
}

async function complete(port: number | undefined, secret: string): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${port}/router/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "echo-1", messages: [{ role: "user", content: "Hi" }] }),
  });
  await response.text();
  return response.status;
}
