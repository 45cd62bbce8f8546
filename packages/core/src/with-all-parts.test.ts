import { describe, expect, it } from "vitest";
import { assembleServices } from "./assemble-services.ts";
import type { GatewayOptions } from "./gateway-options/gateway-options.ts";
import { memoryBalanceStore } from "./memory/memory-balance-store.ts";
import { memoryKeyStore } from "./memory/memory-key-store.ts";
import { memoryUsageStore } from "./memory/memory-usage-store.ts";
import { consoleObserver } from "./observing/console-observer.ts";
import { withAllParts } from "./with-all-parts.ts";

const servicesOf = (options: Partial<GatewayOptions>) =>
  assembleServices(
    withAllParts({ keys: memoryKeyStore(), balances: memoryBalanceStore(), plans: [], models: [], ...options }),
  );

describe("the events of successful requests", () => {
  it.each([
    ["are not created for the console alone", {}, false],
    ["are not created for a console observer that the host passes", { observer: consoleObserver() }, false],
    ["are created for an observer of the host", { observer: () => undefined }, true],
    ["are created for the usage", { usage: { store: memoryUsageStore() } }, true],
  ])("%s", (_, options, observed) => {
    expect(servicesOf(options).observed).toBe(observed);
  });
});
