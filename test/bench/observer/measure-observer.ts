import { MeterProvider, MetricReader } from "@opentelemetry/sdk-metrics";
import { AlwaysOffSampler, AlwaysOnSampler, BasicTracerProvider, type Sampler } from "@opentelemetry/sdk-trace-base";
import type { GatewayEvent, Observer } from "@tollgate/core";
import { openTelemetry } from "@tollgate/opentelemetry";
import { alternate, type Rounds } from "../rounds.ts";
import { percentile } from "../statistics.ts";

/** The samplers that are compared. */
export type Sampling = "metrics, no span sampled" | "metrics, every span sampled";

/** The CPU time that the observer takes of a request, in microseconds, in each round. */
export interface ObserverResults {
  readonly observer: Rounds<Sampling, number>;
}

/** Of a round. Its figure is the lowest quartile of them. */
const slices = 20;

const samplers: Readonly<Record<Sampling, () => Sampler>> = {
  "metrics, no span sampled": () => new AlwaysOffSampler(),
  "metrics, every span sampled": () => new AlwaysOnSampler(),
};

/** Measures it in this process: the events of a streamed completion, with the SDK and without an exporter. */
export async function measureObserver(rounds: number, seconds: number): Promise<ObserverResults> {
  const names: readonly Sampling[] = ["metrics, no span sampled", "metrics, every span sampled"];
  return {
    observer: await alternate(names, rounds, async (name) => {
      const observe = observerWith(samplers[name]());
      cpuOf(observe, seconds / 5);
      const measured = Array.from({ length: slices }, () => cpuOf(observe, seconds / slices));
      return percentile(measured, 0.25);
    }),
  };
}

function observerWith(sampler: Sampler): Observer {
  return openTelemetry({
    tracerProvider: new BasicTracerProvider({ sampler }),
    meterProvider: new MeterProvider({ readers: [new SilentReader()] }),
  });
}

/** Without a reader, the SDK records nothing. */
class SilentReader extends MetricReader {
  protected override async onForceFlush(): Promise<void> {}
  protected override async onShutdown(): Promise<void> {}
}

/** Microseconds of CPU time for the events of one request. */
function cpuOf(observe: Observer, seconds: number): number {
  const begun = process.cpuUsage();
  const end = performance.now() + 1_000 * seconds;
  let requests = 0;
  while (performance.now() < end) {
    for (let batch = 0; batch < 100; batch++, requests++) {
      const [start, completed] = eventsOf(requests);
      observe(start);
      observe(completed);
    }
  }
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / requests;
}

function eventsOf(request: number): readonly [GatewayEvent, GatewayEvent] {
  const at = 1_700_000_000_000 + request;
  const by = { requestId: `request-${request}`, endpoint: "chat.completions" };
  return [
    { type: "request.started", at, ...by },
    {
      type: "request.completed",
      at: at + 800,
      ...by,
      id: `${request}`,
      timeline: [],
      status: 200,
      durationMs: 800,
      ending: "complete",
      keyId: "key-1",
      account: "acme",
      dialect: "chat",
      model: `model-${request % 10}`,
      provider: "openai",
      upstreamModel: `upstream-${request % 10}`,
      attempts: 1,
      usage: { prompt_tokens: 1_200, completion_tokens: 300, total_tokens: 1_500 },
      estimated: false,
      implausible: false,
      cost: 123_456n,
      holdId: "hold-1",
      firstContentMs: 200,
    },
  ];
}
