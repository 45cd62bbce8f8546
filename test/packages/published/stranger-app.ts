import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { inject } from "vitest";

/** A project of someone who knows only the registry. */
export interface StrangerApp extends Disposable {
  readonly folder: string;
  /** Runs a command in the folder and returns its output. Rejects with the output if it fails. */
  readonly run: (command: string, ...parameters: readonly string[]) => Promise<string>;
  /** The same in a folder within it. */
  readonly runIn: (folder: string, command: string, ...parameters: readonly string[]) => Promise<string>;
}

/** Members of package.json. */
type Manifest = Readonly<Record<string, string>>;

/**
 * Copies folders of `apps` to a new folder outside of the workspace, and installs packages there with npm, with an empty
 * home and cache.
 */
export async function strangerApp(
  sources: readonly string[],
  packages: readonly string[],
  manifest: Manifest = {},
): Promise<StrangerApp> {
  const root = mkdtempSync(join(tmpdir(), "tollgate-app-"));
  const [folder, home] = [join(root, "app"), join(root, "home")];
  for (const path of [folder, home]) mkdirSync(path);
  for (const source of sources)
    cpSync(join(import.meta.dirname, "apps", source), join(folder, source), { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, ...manifest }));
  const env = {
    PATH: `${join(folder, "node_modules/.bin")}:${process.env["PATH"]}`,
    HOME: home,
    "npm_config_@tollgate:registry": inject("registry"),
    npm_config_update_notifier: "false",
  };
  const runIn: StrangerApp["runIn"] = async (inner, command, ...parameters) => {
    const options = { cwd: join(folder, inner), env };
    const { stdout, stderr } = await promisify(execFile)(command, parameters, options).catch((cause) => {
      throw new Error(`${[command, ...parameters].join(" ")} failed:\n${cause.stdout}\n${cause.stderr}`, { cause });
    });
    return `${stdout}${stderr}`;
  };
  const run: StrangerApp["run"] = (command, ...parameters) => runIn("", command, ...parameters);
  await run("npm", "install", "--no-audit", "--no-fund", "--loglevel=error", ...packages);
  return { folder, run, runIn, [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }) };
}
