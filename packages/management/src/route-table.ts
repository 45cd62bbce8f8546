import { openApiRoute } from "./openapi/open-api-route.ts";
import { acceptTerms } from "./resources/accounts/accept-terms.ts";
import { limitSpend, unlimitSpend } from "./resources/accounts/limit-spend.ts";
import { listAccounts } from "./resources/accounts/list-accounts.ts";
import { listEntries } from "./resources/accounts/list-entries.ts";
import { creditAccount, debitAccount } from "./resources/accounts/post-amount.ts";
import { showAccount } from "./resources/accounts/show-account.ts";
import { dryRunTrigger } from "./resources/assistants/dry-run-trigger.ts";
import { listAssistants, showAssistant } from "./resources/assistants/list-assistants.ts";
import { listConversations } from "./resources/conversations/list-conversations.ts";
import { listLogs } from "./resources/conversations/list-logs.ts";
import { listMessages } from "./resources/conversations/list-messages.ts";
import { showConversation } from "./resources/conversations/show-conversation.ts";
import { createPlaygroundKey } from "./resources/create-playground-key.ts";
import { showHealth } from "./resources/health.ts";
import { createKey } from "./resources/keys/create-key.ts";
import { listKeys } from "./resources/keys/list-keys.ts";
import { revokeKey } from "./resources/keys/revoke-key.ts";
import { rotateKey } from "./resources/keys/rotate-key.ts";
import { showKey } from "./resources/keys/show-key.ts";
import { updateKey } from "./resources/keys/update-key.ts";
import { listAudit } from "./resources/list-audit.ts";
import { showMe } from "./resources/me.ts";
import { listModels, showModel } from "./resources/models.ts";
import { listPlans } from "./resources/plans.ts";
import { listRequests } from "./resources/requests/list-requests.ts";
import { showRequest } from "./resources/requests/show-request.ts";
import { listAcceptances, listTerms } from "./resources/terms.ts";
import { showUsage } from "./resources/usage/show-usage.ts";
import { verifyLedger } from "./resources/verify-ledger.ts";
import type { ManagementRoute } from "./routes/route.ts";

/** The routes of the OpenAPI document. */
export const describedRoutes: readonly ManagementRoute[] = [
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
  showUsage,
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

/** Every route of the management API. */
export const managementRoutes: readonly ManagementRoute[] = [...describedRoutes, openApiRoute(describedRoutes)];
