import type { ListOperation, Operation, ReportOperation } from "@tollgate/management/operations";
import type { Right } from "./customer.ts";
import { showOwnAccount } from "./operations/account.ts";
import { listOwnEntries } from "./operations/entries.ts";
import { createOwnKey, listOwnKeys, revokeOwnKey, rotateOwnKey, showOwnKey, updateOwnKey } from "./operations/keys.ts";
import { showMe, showTexts } from "./operations/me.ts";
import { saveOwnNotices, showOwnNotices } from "./operations/notices.ts";
import { listOwnRequests, showOwnRequest } from "./operations/requests.ts";
import { withRight } from "./operations/right-of.ts";
import { acceptOwnTerms, listOwnTerms } from "./operations/terms.ts";
import { reportOwnUsage } from "./operations/usage.ts";

/** An operation of the portal. One that changes something names the right that a customer needs. */
export type PortalOperation =
  | ListOperation
  | ReportOperation
  | (Operation & { readonly method: "GET" })
  | (Operation & { readonly right: Right });

/** Every operation of the portal. The page takes its types. */
export const portalTable = [
  showMe,
  showTexts,
  showOwnAccount,
  listOwnEntries,
  reportOwnUsage,
  listOwnRequests,
  showOwnRequest,
  listOwnKeys,
  showOwnKey,
  withRight("keys", createOwnKey),
  withRight("keys", updateOwnKey),
  withRight("keys", rotateOwnKey),
  withRight("keys", revokeOwnKey),
  listOwnTerms,
  withRight("terms", acceptOwnTerms),
  showOwnNotices,
  withRight("notices", saveOwnNotices),
] as const satisfies readonly PortalOperation[];

/** The operations as types. */
export type PortalTable = typeof portalTable;
