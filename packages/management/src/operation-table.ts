import type { ExportOperation } from "./operations/exports.ts";
import type { ListOperation, ReportOperation } from "./operations/lists.ts";
import type { Operation } from "./operations/operation.ts";
import { acceptTerms, limitSpend, unlimitSpend } from "./resources/accounts/change-accounts.ts";
import { exportAccount } from "./resources/accounts/export-account.ts";
import { forgetAccount } from "./resources/accounts/forget-account.ts";
import { freezeAccount, thawAccount } from "./resources/accounts/freeze-account.ts";
import { creditAccount, debitAccount } from "./resources/accounts/post-money.ts";
import { listAccounts, showAccount } from "./resources/accounts/read-accounts.ts";
import { refundCharge } from "./resources/accounts/refund-charge.ts";
import { dryRunTrigger, listAssistants, showAssistant } from "./resources/assistants.ts";
import { listAudit } from "./resources/audit.ts";
import { listConversations, listLogs, listMessages, showConversation } from "./resources/conversations.ts";
import { showHealth } from "./resources/health.ts";
import { createKey, createPlaygroundKey, revokeKey, rotateKey, updateKey } from "./resources/keys/change-keys.ts";
import { listKeys, showKey } from "./resources/keys/read-keys.ts";
import { listEntries, verifyLedger } from "./resources/ledger.ts";
import { showMe } from "./resources/me.ts";
import { listModels, showModel } from "./resources/models.ts";
import { listPlans } from "./resources/plans.ts";
import { listRequests, showRequest } from "./resources/requests.ts";
import { listAcceptances, listTerms } from "./resources/terms.ts";
import { reportUsage } from "./resources/usage.ts";
import { showWhatIf } from "./resources/what-if.ts";

/** Every operation, in the order of the documentation. The API and its OpenAPI document are made from it, and the page of the dashboard takes its types. */
export const operationTable = [
  showMe,
  showHealth,
  listModels,
  showModel,
  showWhatIf,
  listPlans,
  listKeys,
  createKey,
  showKey,
  updateKey,
  rotateKey,
  revokeKey,
  listAccounts,
  showAccount,
  creditAccount,
  debitAccount,
  refundCharge,
  freezeAccount,
  thawAccount,
  limitSpend,
  unlimitSpend,
  acceptTerms,
  exportAccount,
  forgetAccount,
  listEntries,
  verifyLedger,
  reportUsage,
  listRequests,
  showRequest,
  listTerms,
  listAcceptances,
  listAssistants,
  showAssistant,
  dryRunTrigger,
  listConversations,
  showConversation,
  listMessages,
  listLogs,
  listAudit,
  createPlaygroundKey,
] as const satisfies readonly (Operation | ListOperation | ReportOperation | ExportOperation)[];

/** The operations as types. */
export type OperationTable = typeof operationTable;
