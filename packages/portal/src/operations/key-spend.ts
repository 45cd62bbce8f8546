import { formatAmount, GatewayError } from "@tollgate/core";
import type { ApiKey, SpendLimit } from "@tollgate/core/store";
import type { PortalContext } from "../portal-options.ts";
import { hostLimit } from "./account.ts";

/** The tag of keys that were created in the portal. The customer decides about their spend limits. */
export const portalTag = "portal";

/**
 * Throws 400 for a spend limit above the host's: that of the account, if both have the same window, and that of a key which the
 * host has created, which the customer may only lower. Undefined: the limit does not change.
 */
export async function checkSpend(
  context: PortalContext,
  key: ApiKey | undefined,
  wanted: SpendLimit | null | undefined,
): Promise<void> {
  if (wanted === undefined) return;
  const ofKey = key?.tags?.includes(portalTag) === false || key?.tags === undefined ? key?.spend : undefined;
  if (ofKey !== undefined && !isWithin(wanted, ofKey)) throw aboveHost("this key", ofKey);
  if (wanted === null) return;
  const ofAccount = await hostLimit(context);
  if (ofAccount === undefined || ofAccount.window !== wanted.window || ofAccount.models !== undefined) return;
  if (wanted.limit > ofAccount.limit) throw aboveHost("your account", ofAccount);
}

/** True if a limit refuses everything that another one refuses: it has the same window and models, and is not higher. */
const isWithin = (wanted: SpendLimit | null, host: SpendLimit): boolean =>
  wanted !== null &&
  wanted.limit <= host.limit &&
  wanted.window === host.window &&
  (wanted.timezone ?? "UTC") === (host.timezone ?? "UTC") &&
  JSON.stringify(wanted.models) === JSON.stringify(host.models);

const aboveHost = (what: string, { limit, window }: SpendLimit): GatewayError =>
  new GatewayError(
    "invalid_request",
    `\`spend\` is above the limit of ${what}, which is ${formatAmount(limit)} (${window}). Set one at or below it.`,
    { param: "spend" },
  );
