import { RequestReport } from "../../../packages/core/src/events/request-report.ts";
import { UsageRecorder } from "../../../packages/core/src/events/usage-recorder.ts";
import type { ApiKey } from "../../../packages/core/src/ports/key-store.ts";
import type { CallReport, Observer } from "../../../packages/core/src/ports/observer.ts";
import type { UsageStore } from "../../../packages/core/src/ports/usage-store.ts";

const requestsPerSlice = 20_000;

const key: ApiKey = {
  id: "key-1",
  account: "acme",
  plan: "prepaid",
  lastFour: "abcd",
  tags: ["red"],
  createdAt: new Date(),
};

const call: CallReport = {
  dialect: "chat",
  model: "plain",
  provider: "acme",
  upstreamModel: "up",
  attempts: 1,
  usage: { prompt_tokens: 42, completion_tokens: 57, total_tokens: 99 },
  tokens: { input: 42, cachedInput: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 57, reasoning: 0 },
  estimated: false,
  implausible: false,
  cost: 1_000n,
  holdId: "hold-1",
  firstContentMs: 3,
  attemptMs: 5,
};

const chat = { model: "plain", user: "user-1" };

/** A store that does nothing, so that the work of the gateway alone is measured. */
const nothing: UsageStore = {
  record: (rows) => rows.length,
  summary: () => [],
  attempts: () => [],
  list: () => ({ rows: [] }),
  prune: () => 0,
  forget: () => ({ changed: 0 }),
};

/**
 * Measures what recording adds to a request, in microseconds of CPU time: its timeline, its end event and its row. The
 * lowest quartile of the slices, since other work on the machine only makes a slice slower.
 */
export async function measureRecording(slices: number): Promise<number> {
  const recorder = new UsageRecorder({ store: nothing }, () => undefined);
  const differences: number[] = [];
  // The timers of the recorder do not keep the process alive.
  const alive = setInterval(() => undefined, 60_000);
  for (let slice = 0; slice < slices; slice++) {
    const without = await costOf(() => undefined, false, recorder);
    differences.push((await costOf(recorder.take, true, recorder)) - without);
  }
  recorder.stop();
  clearInterval(alive);
  return differences.toSorted((a, b) => a - b)[Math.floor(slices / 4)] ?? Number.NaN;
}

async function costOf(observe: Observer, observed: boolean, recorder: UsageRecorder): Promise<number> {
  const begun = process.cpuUsage();
  for (let index = 0; index < requestsPerSlice; index++) {
    reportRequest(`id-${index}`, { observe, observed });
    if (index % 500 === 499) await recorder.flush();
  }
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / requestsPerSlice;
}

/** What the path of a streamed completion does with its report. */
function reportRequest(id: string, services: { readonly observe: Observer; readonly observed: boolean }): void {
  const report = new RequestReport(id, id, Date.now());
  report.start(services, "chat.completions");
  report.key = key;
  report.mark("admitted");
  report.readEndUser(chat);
  report.model = "plain";
  report.mark("held");
  report.mark("attempt", "acme/up");
  report.mark("first_content");
  report.open();
  report.answer(services, 200);
  if (services.observed) report.charge(call, "complete");
  report.close(services);
}
