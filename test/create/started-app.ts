import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { freePort } from "../support/free-port.ts";

/** An app that listens. */
export interface StartedApp extends AsyncDisposable {
  readonly dashboard: string;
  readonly router: string;
  /** The file that it says the password is in. */
  readonly passwordFile: string;
  /** What it printed instead of a key if it created none. */
  readonly key: string;
  /** Sends SIGINT, and resolves to the exit code. */
  stop(): Promise<number | null>;
}

/** Starts an app with a command in its folder, and reads what it prints. Rejects with the output if it ends first. */
export async function startApp(
  folder: string,
  [command = "", ...parameters]: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<StartedApp> {
  const env = { PATH: process.env["PATH"], PORT: String(await freePort()), ...variables };
  const app = spawn(command, parameters, { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
  const exited = once(app, "exit");
  const kill = () => signalGroup(app, "SIGKILL");
  try {
    const output = await outputOf(app);
    const read = (pattern: RegExp) => pattern.exec(output)?.[1] ?? `nothing matches ${pattern} in:\n${output}`;
    return {
      dashboard: read(/^Dashboard +(\S+)$/m),
      passwordFile: read(/user admin, password in (\S+) \(DASHBOARD_PASSWORD\)$/m),
      router: read(/^Router +(\S+)$/m),
      key: read(/^API key +(.+)$/m),
      stop: async () => {
        signalGroup(app, "SIGINT");
        const [code] = await exited;
        return code;
      },
      [Symbol.asyncDispose]: async () => kill(),
    };
  } catch (cause) {
    kill();
    throw cause;
  }
}

/** npm, a shell and Node get a signal together, as from a terminal. */
function signalGroup({ pid, exitCode, signalCode }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, signal);
}

async function outputOf({ stdout, stderr }: ChildProcess): Promise<string> {
  if (stdout === null || stderr === null) throw new Error("The output of the app is not read. Start it with pipes.");
  const lines: string[] = [];
  stderr.on("data", (chunk: Buffer) => lines.push(chunk.toString()));
  for await (const line of createInterface(stdout)) {
    lines.push(line);
    if (!line.startsWith("API key")) continue;
    stdout.resume();
    return lines.join("\n");
  }
  throw new Error(`The app ended before it listened:\n${lines.join("\n")}`);
}

/** Asks an app for a chat completion, as JSON, and returns the status and the body of its response. */
export async function askApp({ router, key }: StartedApp, content: string) {
  const response = await fetch(`${router}/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "acme-small", messages: [{ role: "user", content }] }),
  });
  const body: unknown = await response.json();
  return { status: response.status, body };
}

/** What `askApp` returns for an answer with this text. */
export const answered = (content: string) => ({ status: 200, body: { choices: [{ message: { content } }] } });

/** Opens the dashboard and its API with passwords, and returns the statuses. */
export async function logIn({ dashboard }: StartedApp, password: string): Promise<readonly number[]> {
  const headers = { authorization: `Basic ${btoa(`admin:${password}`)}` };
  const answers = await Promise.all(["", "api/keys"].map((path) => fetch(`${dashboard}${path}`, { headers })));
  return answers.map(({ status }) => status);
}
