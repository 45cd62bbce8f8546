import { type ContenderName, type Gateway, startGateway } from "./gateway.ts";
import type { ClientGone } from "./load/client-gone.ts";
import type { ClosedLoop } from "./load/closed-loop.ts";
import type { FixedRate } from "./load/fixed-rate.ts";
import type { IdleStreams } from "./load/idle-streams.ts";
import type { WindowResult } from "./load/window.ts";
import type { LoadCommand } from "./load-process.ts";
import { type Child, startChild } from "./processes/child.ts";
import { loadCore } from "./processes/cores.ts";

/** A load that has yet to be told where it goes. */
export type Aimed<Load> = Omit<Load, "target" | "upstreamPort">;

/** Gateways that run at the same time. */
export type Gateways = ReadonlyMap<ContenderName, Gateway>;

/** The mock provider and the load, each in a process of its own, and the gateways between them. */
export class Rig {
  private constructor(
    private readonly upstream: Child<{ port: number }>,
    private readonly loader: Child<object>,
    private readonly against: string | undefined,
  ) {}

  /** `against` is another checkout, whose router takes part. */
  static async start(against?: string): Promise<Rig> {
    const upstream = await startChild<{ port: number }>("upstream-process.js", [], loadCore);
    return new Rig(upstream, await startChild("load-process.js", [], loadCore), against);
  }

  async stop(): Promise<void> {
    await Promise.all([this.upstream.stop(), this.loader.stop()]);
  }

  /** Runs something against a fresh process of a contender. */
  async withGateway<Result>(name: ContenderName, use: (gateway: Gateway) => Promise<Result>): Promise<Result> {
    const upstream = { pid: this.upstream.pid, port: this.upstream.ready.port };
    const gateway = await startGateway(name, upstream, this.against);
    try {
      return await use(gateway);
    } finally {
      await gateway.stop();
    }
  }

  /** Runs something against fresh processes of several contenders, which live side by side. */
  withGateways<Result>(
    [name, ...others]: readonly ContenderName[],
    use: (gateways: Gateways) => Promise<Result>,
  ): Promise<Result> {
    if (name === undefined) return use(new Map());
    return this.withGateway(name, (gateway) =>
      this.withGateways(others, (gateways) => use(new Map([[name, gateway], ...gateways]))),
    );
  }

  closedLoop(gateway: Gateway, load: Aimed<ClosedLoop>): Promise<WindowResult> {
    return this.#run(gateway, { ...load, target: gateway.target });
  }

  fixedRate(gateway: Gateway, load: Aimed<FixedRate>): Promise<WindowResult> {
    return this.#run(gateway, { ...load, target: gateway.target });
  }

  clientGone(gateway: Gateway, load: Aimed<ClientGone>): Promise<(number | null)[]> {
    return this.#run(gateway, { ...load, target: gateway.target, upstreamPort: this.upstream.ready.port });
  }

  openIdleStreams(gateway: Gateway, load: Aimed<IdleStreams>): Promise<null> {
    return this.#run(gateway, { ...load, target: gateway.target });
  }

  closeIdleStreams(gateway: Gateway): Promise<null> {
    return this.#run(gateway, { kind: "close-streams" });
  }

  #run<Result>(gateway: Gateway, load: LoadCommand["load"]): Promise<Result> {
    const command: LoadCommand = { load, gateway: gateway.process };
    return this.loader.ask<Result>(command);
  }
}
