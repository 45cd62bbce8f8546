import { type UsageOptions, usageSchema } from "../observing/usage-options.ts";
import { UsageRecorder } from "../observing/usage-recorder.ts";
import { requireOptions } from "../options/problems.ts";
import type { UsagePart } from "../request/gateway-parts.ts";

/** Makes the part that records usage, from checked options. */
export const usagePart = (options: UsageOptions): UsagePart => ({
  option: "usage",
  create: ({ observe }) => new UsageRecorder({ ...options, observe }),
});

/**
 * Makes the option `usage` of a gateway of `@tollgate/core/chat`, which records one row for each request that may call a
 * model. Throws a TypeError that lists all problems of the options.
 *
 * @example
 * createGateway({ usage: usageRecorder({ store: memoryUsageStore() }), ...options });
 */
export function usageRecorder(options: UsageOptions): UsagePart {
  return usagePart(requireOptions("usageRecorder", usageSchema, options));
}
