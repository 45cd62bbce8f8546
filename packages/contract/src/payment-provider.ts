import {
  type OpenedPaymentProvider,
  type PaymentProviderContext,
  runWithPaymentProvider,
} from "./payment-provider/context.ts";
import { crashCases } from "./payment-provider/crashes.ts";
import { forgeryCases } from "./payment-provider/forgeries.ts";
import { readingCases } from "./payment-provider/readings.ts";
import { replayCases } from "./payment-provider/replays.ts";
import type { Cases, TestRunner } from "./suite.ts";

export type { Notification, OpenedPaymentProvider, Signing } from "./payment-provider/context.ts";

/** The options of {@link paymentProviderContract}. */
export interface PaymentProviderSuiteOptions {
  readonly test: TestRunner;
  /** Creates the provider of one case. */
  readonly create: () => OpenedPaymentProvider | Promise<OpenedPaymentProvider>;
}

/**
 * The suite for every PaymentProvider: what its notifications say, which are forged, and what of them is credited when they are
 * repeated, late, in parallel, or when the process ends between two steps. The notifications go to the endpoint of
 * `@tollgate/payments`, over stores in memory.
 */
export function paymentProviderContract({ test, create }: PaymentProviderSuiteOptions): void {
  const groups: Readonly<Record<string, Cases<PaymentProviderContext>>> = {
    notifications: readingCases,
    forgeries: forgeryCases,
    "replays and disorder": replayCases,
    crashes: crashCases,
  };
  test.describe("PaymentProvider", () => {
    for (const [group, cases] of Object.entries(groups)) {
      test.describe(group, () => {
        for (const [name, check] of Object.entries(cases)) test.it(name, () => runWithPaymentProvider(create, check));
      });
    }
  });
}
