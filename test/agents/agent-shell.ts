import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { installManifest } from "../support/install-program.ts";
import { agentPackages } from "./versions.ts";

/** The text in `package.json` of the folder that agents work in. */
export const codeWord = "heliotrope-42";

/** A folder that agents work in, with a home of their own and without the internet. */
export interface AgentShell {
  readonly folder: string;
  /** Runs the lines of a page with `sh -e`. Resolves with all output; rejects with it if a line fails. */
  run(script: string): Promise<string>;
  close(): void;
}

/** Installs the agents, unless an earlier run has, and makes a folder for them. */
export async function openAgentShell(): Promise<AgentShell> {
  const programs = resolve(
    `.runtimes/agents-${Object.values(agentPackages)
      .join("-")
      .replaceAll(/[^\w.-]/g, "_")}`,
  );
  await installManifest(programs, { private: true, dependencies: agentPackages }, { scripts: true });
  const base = mkdtempSync(join(tmpdir(), "tollgate-agents-"));
  const [folder, home] = [join(base, "work"), join(base, "home")];
  for (const each of [home, join(folder, "docs/images")]) mkdirSync(each, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: codeWord }));
  cpSync("docs/images/dashboard-usage.png", join(folder, "docs/images/dashboard-usage.png"));
  await promisify(execFile)("git", ["init", "--quiet"], { cwd: folder });
  const env = {
    PATH: `${join(programs, "node_modules/.bin")}:${process.env["PATH"]}`,
    HOME: home,
    // Nothing listens there, so that no agent reaches the internet.
    HTTPS_PROXY: "http://127.0.0.1:9",
    NO_PROXY: "127.0.0.1",
  };
  return {
    folder,
    run: (script) => runScript(script, { cwd: folder, env }),
    close: () => rmSync(base, { recursive: true, force: true }),
  };
}

async function runScript(script: string, options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv }) {
  const running = promisify(execFile)("sh", ["-e", "-c", script], { ...options, timeout: 90_000 });
  running.child.stdin?.end();
  const { stdout, stderr } = await running.catch((cause) => {
    throw new Error(`The agent failed (${cause.code ?? cause.signal}):\n${cause.stdout}\n${cause.stderr}`);
  });
  return stdout + stderr;
}
