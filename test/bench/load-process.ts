import { type ClientGone, measureClientGone } from "./load/client-gone.ts";
import { type ClosedLoop, runClosedLoop } from "./load/closed-loop.ts";
import { type FixedRate, runFixedRate } from "./load/fixed-rate.ts";
import { type IdleStreams, openIdleStreams } from "./load/idle-streams.ts";
import { type GatewayProcess, readCpu } from "./processes/gateway-probe.ts";
import { announce, serveCommands } from "./processes/parent.ts";

/** What the load process can be told to do. */
export interface LoadCommand {
  readonly load: ClosedLoop | FixedRate | ClientGone | IdleStreams | { readonly kind: "close-streams" };
  /** The process whose CPU time is measured. */
  readonly gateway: GatewayProcess;
}

const openStreams: (() => void)[] = [];

serveCommands<LoadCommand>(async ({ load, gateway }) => {
  const cpu = () => readCpu(gateway);
  switch (load.kind) {
    case "closed-loop":
      return runClosedLoop(load, cpu);
    case "fixed-rate":
      return runFixedRate(load, cpu);
    case "client-gone":
      return measureClientGone(load);
    case "idle-streams":
      openStreams.push(await openIdleStreams(load));
      return null;
    case "close-streams":
      for (const close of openStreams.splice(0)) close();
      return null;
  }
});
announce({});
