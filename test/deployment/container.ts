import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { freePort } from "../support/free-port.ts";

const password = "password-of-the-test";
const authorization = `Basic ${Buffer.from(`admin:${password}`).toString("base64")}`;

/** How the process of a container starts. */
export interface Image {
  readonly command: readonly string[];
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
}

/** The process of a container with its endpoints. */
export class Container {
  readonly process: ChildProcess;
  readonly environment: NodeJS.ProcessEnv;
  readonly #exited: Promise<unknown[]>;

  private constructor(process: ChildProcess, environment: NodeJS.ProcessEnv) {
    this.process = process;
    this.environment = environment;
    this.#exited = once(process, "exit");
  }

  /** Starts the process at a port, by default at any free one, and resolves when it listens. */
  static async start({ command, folder, environment }: Image, port?: number): Promise<Container> {
    const ports = { PORT: String(port ?? (await freePort())), METRICS_PORT: String(await freePort()) };
    const env = { PATH: process.env["PATH"], DASHBOARD_PASSWORD: password, ...environment, ...ports };
    const [file = "", ...parameters] = command;
    const child = spawn(file, parameters, { cwd: folder, env, stdio: ["ignore", "pipe", "inherit"] });
    const container = new Container(child, env);
    if (child.stdout === null) throw new Error("The process has no output.");
    for await (const line of createInterface(child.stdout)) if (line.includes("answers at")) return container;
    throw new Error(`The process ended before it listened: ${command.join(" ")} in ${folder}.`);
  }

  get(path: string): Promise<Response> {
    return fetch(`http://127.0.0.1:${this.environment["PORT"]}${path}`);
  }

  metrics(): Promise<Response> {
    return fetch(`http://127.0.0.1:${this.environment["METRICS_PORT"]}/metrics`);
  }

  /** Sends a request of an operator to the management API of the dashboard. */
  async manage(method: "GET" | "POST", path: string, body?: object): Promise<Readonly<Record<string, unknown>>> {
    const headers = {
      ...{ authorization, "content-type": "application/json", "sec-fetch-site": "same-origin" },
      "idempotency-key": crypto.randomUUID(),
    };
    const url = `http://127.0.0.1:${this.environment["PORT"]}/tollgate/api${path}`;
    const response = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  }

  complete(secret: string, content: string, more: object = {}): Promise<Response> {
    return fetch(`http://127.0.0.1:${this.environment["PORT"]}/router/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "echo-1", messages: [{ role: "user", content }], ...more }),
    });
  }

  /** Sends SIGTERM, and returns the exit code. */
  terminate(): Promise<unknown> {
    this.process.kill("SIGTERM");
    return this.#exited.then(([code]) => code);
  }
}
