import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundleWorker } from "../../runtimes/build-hosts.ts";
import { installRuntime } from "../../runtimes/install-runtimes.ts";
import { type BundledWorker, workerdConfig } from "../../runtimes/workerd-config.ts";
import { type Host, serving } from "../hosts.ts";
import type { InstalledProject } from "./install-project.ts";

/** Bundles the `worker.ts` of a project, and returns how to start it on workerd. */
export async function onWorkerd({ folder }: InstalledProject): Promise<Host["start"]> {
  const worker: BundledWorker = { name: "http", bundle: join(folder, "dist/worker.js"), usesNode: true };
  await bundleWorker(join(folder, "worker.ts"), worker.bundle, worker.usesNode);
  const program = await installRuntime("workerd");
  return (environment) => {
    const config = join(folder, "dist/config.capnp");
    writeFileSync(config, workerdConfig([worker], environment));
    const script = 'exec "$0" serve "$1" --socket-addr "http=127.0.0.1:$PORT"';
    return serving({ command: "/bin/sh", parameters: ["-c", script, program, config] })(environment);
  };
}
