import { mounts } from "../../http/mounts/mounts.ts";
import { attackedGateway } from "../hostile/attacked-gateway.ts";
import type { HostReport, HostTask, MountAddress } from "../hostile/host-report.ts";
import { readTask } from "./task.ts";

// Answers the message of a mount's name with a report on it. It imports the built packages, as the host of a customer does.

const task = readTask<HostTask>();
const pristine = new Set(memberNames());
const warnings: string[] = [];
process.on("warning", (warning) => warnings.push(String(warning)));
// Not `maxRSS`, which on Linux is at least the memory of the parent process when it started this one.
let peakRss = 0;
setInterval(() => {
  peakRss = Math.max(peakRss, process.memoryUsage.rss());
}, 20).unref();
void start();

async function start(): Promise<void> {
  const started = await Promise.all(task.mounts.map(startMount));
  const reports = new Map(started.map(({ name, report }) => [name, report]));
  process.on("message", async (name: string) => process.send?.(await reports.get(name)?.()));
  process.send?.(Object.fromEntries(started.map(({ name, address }) => [name, address])));
}

async function startMount(name: string) {
  const mount = mounts.find((each) => each.name === name);
  if (mount === undefined) throw new Error(`There is no mount ${name}.`);
  const { mounts: mounted, secrets, books } = await attackedGateway(task.upstreamUrl, task.options);
  const host = await mount.start(mounted, "plain");
  const address: MountAddress = { port: host.port, ...secrets };
  const report = async (): Promise<HostReport> => {
    globalThis.gc?.();
    return {
      books: await books(),
      connections: host.connections(),
      sockets: process.getActiveResourcesInfo().filter((kind) => kind === "TCPSocketWrap").length,
      rss: process.memoryUsage.rss(),
      peakRss,
      polluted: memberNames().filter((member) => !pristine.has(member)),
      warnings,
    };
  };
  return { name, address, report };
}

function memberNames(): string[] {
  return [Object.prototype, Array.prototype].flatMap((prototype) => Reflect.ownKeys(prototype).map(String));
}
