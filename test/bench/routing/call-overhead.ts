import { Bill } from "../../../packages/core/src/answering/call/bill.ts";
import { TargetCalls } from "../../../packages/core/src/answering/call/target-calls.ts";
import { UpstreamCall } from "../../../packages/core/src/answering/call/upstream-call.ts";
import { JsonAttempt } from "../../../packages/core/src/answering/json/complete.ts";
import { readCompletion } from "../../../packages/core/src/answering/json/read-completion.ts";
import { assembleServices } from "../../../packages/core/src/assemble-services.ts";
import { chatApi } from "../../../packages/core/src/dialects/chat/chat-api.ts";
import { FetchRequest } from "../../../packages/core/src/http/fetch-request.ts";
import { memoryBalanceStore } from "../../../packages/core/src/memory/memory-balance-store.ts";
import { memoryKeyStore } from "../../../packages/core/src/memory/memory-key-store.ts";
import { modelCall } from "../../../packages/core/src/model-call.ts";
import { noOutput } from "../../../packages/core/src/money/token-counter.ts";
import { parseAmount } from "../../../packages/core/src/options/decimal.ts";
import { receive } from "../../../packages/core/src/request/exchange.ts";
import type { PaidCall } from "../../../packages/core/src/request/paid-call.ts";
import type { Services } from "../../../packages/core/src/request/services.ts";
import { admit } from "../../../packages/core/src/steps/admit.ts";
import { pay } from "../../../packages/core/src/steps/pay.ts";
import { readBody } from "../../../packages/core/src/steps/read-body.ts";
import { instantProvider } from "../in-process/instant-provider.ts";

/** The CPU time of a request through the gateway in microseconds, and what of it routing takes. */
export interface RoutingCost {
  /** All checks, the hold, a provider that answers at once, the settlement; no network takes part. */
  readonly request: number;
  /** Choosing the only target, keeping its health, and being ready for a failure. */
  readonly routing: number;
}

/** Measures both in turns, so that a change of the machine's pace meets both alike. */
export async function measureRoutingCost(seconds: number): Promise<RoutingCost> {
  const { services, incoming } = await scene();
  const paid = await payFor(services, incoming());
  const works = [
    async () => void (await modelCall(chatApi)(services, incoming())),
    () => routed(services, paid),
    () => direct(services, paid),
  ];
  for (const work of works) await cpuOf(work, seconds / 10);
  const sums = works.map(() => 0);
  for (let turn = 0; turn < turns; turn++) {
    for (const [place, work] of works.entries())
      sums[place] = (sums[place] ?? 0) + (await cpuOf(work, seconds / turns));
  }
  const [request = 0, withRouting = 0, without = 0] = sums.map((sum) => sum / turns);
  return { request, routing: withRouting - without };
}

const turns = 10;

/** The call of the provider as a request makes it. */
async function routed(services: Services, paid: PaidCall): Promise<void> {
  const calls = new TargetCalls(services, paid, noOutput, (call) => new JsonAttempt(paid, chatApi, call));
  services.ticker.add(calls);
  await calls.run();
  services.ticker.delete(calls);
  services.runningHolds.delete(calls.bill);
}

/** The same call of the only target there is, with its bill, but without limits of time. */
async function direct(services: Services, paid: PaidCall): Promise<void> {
  const [target] = paid.model.targets;
  const call = new UpstreamCall(services, paid, target);
  const bill = new Bill(services, paid, target, noOutput);
  readCompletion(paid, target, await target.provider.complete(call));
  services.runningHolds.delete(bill);
}

async function scene() {
  const keys = memoryKeyStore();
  const balances = memoryBalanceStore();
  balances.credit({ id: "opening", account: "acme", amount: parseAmount("1000000"), reason: "bench" });
  const { secret } = await keys.create({ account: "acme", plan: "prepaid" });
  const services = assembleServices({
    keys,
    balances,
    plans: [{ id: "prepaid", billing: "prepaid" }],
    models: [
      {
        id: "plain",
        maxOutputTokens: 100,
        price: { input: "1", output: "2" },
        targets: [{ provider: instantProvider, model: "up" }],
      },
    ],
  });
  const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
  const body = JSON.stringify({ model: "plain", messages: [{ role: "user", content: "What is the capital?" }] });
  const incoming = () =>
    receive(
      new FetchRequest(new Request("http://bench.test/chat/completions", { method: "POST", headers, body }), {}, "", {
        warn: () => undefined,
      }),
    );
  return { services, incoming };
}

/** A request that is paid for, as the call of the provider gets it. */
async function payFor(services: Services, incoming: ReturnType<typeof receive>): Promise<PaidCall> {
  const admission = await admit(services, incoming, chatApi);
  const body = await readBody(services, admission);
  return await pay(services, admission, await chatApi.parse(services, admission, body));
}

/** Microseconds of CPU time that some work takes once. */
async function cpuOf(work: () => Promise<void>, seconds: number): Promise<number> {
  const begun = process.cpuUsage();
  const end = performance.now() + 1_000 * seconds;
  let times = 0;
  for (; performance.now() < end; times++) await work();
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / times;
}
