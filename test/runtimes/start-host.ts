import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { built, processHost, workers } from "./build-hosts.ts";
import type { ProbeSettings } from "./hosts/probes/answer-probe.ts";
import type { RuntimeName } from "./install-runtimes.ts";
import { Program } from "./program.ts";
import { workerdConfig } from "./workerd-config.ts";

/** The servers of a runtime. */
export interface RunningHost extends AsyncDisposable {
  /** The origin of each server, by its name: a mount, or `probes`. Those of workerd are in `workers`. */
  readonly origins: ReadonlyMap<string, string>;
}

/** Starts the servers of a runtime. Rejects with what the program printed if it ends before it listens. */
export function startHost(name: RuntimeName, program: string, settings: ProbeSettings): Promise<RunningHost> {
  return name === "workerd" ? startWorkerd(program, settings) : startProcess(name, program, settings);
}

async function startProcess(name: RuntimeName, program: string, settings: ProbeSettings): Promise<RunningHost> {
  const parameters = name === "deno" ? ["run", "--allow-all", "--no-lock", "--cached-only"] : [];
  const host = new Program(program, [...parameters, processHost], { SETTINGS: JSON.stringify(settings) });
  const [ports] = await host.reports(1);
  return running(host, new Map(Object.entries(ports ?? {})));
}

async function startWorkerd(program: string, settings: ProbeSettings): Promise<RunningHost> {
  const config = join(built, "config.capnp");
  writeFileSync(config, workerdConfig(workers, { ...settings, ...exampleBindings(settings) }));
  const host = new Program(program, ["serve", "--control-fd=1", config]);
  const sockets = await host.reports(workers.length);
  return running(host, new Map(sockets.filter(isSocket).map(({ socket, port }) => [socket, port])));
}

/** The bindings of `examples/mounts/src/worker.ts`. */
const exampleBindings = ({ mockURL, postgresURL }: ProbeSettings) => ({
  DATABASE_URL: postgresURL,
  OPENAI_BASE_URL: mockURL,
  OPENAI_API_KEY: "sk-upstream",
});

/** A message of workerd about a socket that listens. */
const isSocket = (report: unknown): report is { readonly socket: string; readonly port: number } =>
  typeof report === "object" && report !== null && "socket" in report && "port" in report;

function running(host: Program, ports: ReadonlyMap<string, number>): RunningHost {
  return {
    origins: new Map([...ports].map(([name, port]) => [name, `http://127.0.0.1:${port}`])),
    [Symbol.asyncDispose]: () => host.stop(),
  };
}
