import type { ListOperation, ReportOperation } from "./operations/lists.ts";
import type { Operation } from "./operations/operation.ts";
import {
  acceptTerms,
  creditAccount,
  debitAccount,
  limitSpend,
  unlimitSpend,
} from "./resources/accounts/change-accounts.ts";
import { listAccounts, showAccount } from "./resources/accounts/read-accounts.ts";
import { dryRunTrigger } from "./resources/assistants/dry-run-trigger.ts";
import { listAssistants, showAssistant } from "./resources/assistants/list-assistants.ts";
import { listAudit } from "./resources/audit.ts";
import { listConversations, listLogs, listMessages, showConversation } from "./resources/conversations.ts";
import { showHealth } from "./resources/health.ts";
import { createKey, createPlaygroundKey, revokeKey, rotateKey, updateKey } from "./resources/keys/change-keys.ts";
import { listKeys, showKey } from "./resources/keys/read-keys.ts";
import { listEntries, verifyLedger } from "./resources/ledger/read-ledger.ts";
import { showMe } from "./resources/me.ts";
import { listModels, showModel } from "./resources/models.ts";
import { listPlans } from "./resources/plans.ts";
import { listRequests, showRequest } from "./resources/requests/read-requests.ts";
import { listAcceptances, listTerms } from "./resources/terms.ts";
import { reportUsage } from "./resources/usage/report-usage.ts";

/** An operation of any kind. */
export type AnyOperation = Operation | ListOperation | ReportOperation;

/** Every operation, in the order of the documentation. The API and its OpenAPI document are made from it. */
export const operations: readonly AnyOperation[] = [
  showMe,
  showHealth,
  listModels,
  showModel,
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
  limitSpend,
  unlimitSpend,
  acceptTerms,
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
];
