import { jsonTextResponse, requestUrl } from "@tollgate/core/internal";
import { parametersOf, readQuery } from "./http/read-input.ts";
import { answerRoute, listRoute, type ManagementRoute, reportRoute } from "./http/route.ts";
import { describeApi } from "./openapi/describe-api.ts";
import type { ListOperation, ReportOperation } from "./operations/lists.ts";
import { noBody, noQuery, type Operation } from "./operations/operation.ts";
import {
  acceptTerms,
  creditAccount,
  debitAccount,
  limitSpend,
  unlimitSpend,
} from "./resources/accounts/change-accounts.ts";
import { listAccounts, showAccount } from "./resources/accounts/read-accounts.ts";
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
import { anyObject } from "./schemas/answers.ts";

/** Every operation, in the order of the documentation. The API and its OpenAPI document are made from it. */
const operations: readonly (Operation | ListOperation | ReportOperation)[] = [
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

const openApiPath = "/openapi.json";

/** The routes of the OpenAPI document. */
export const describedRoutes: readonly ManagementRoute[] = operations.map((operation) => {
  if ("page" in operation) return listRoute(operation);
  return "report" in operation ? reportRoute(operation) : answerRoute(operation);
});

/** Every route of the management API. */
export const managementRoutes: readonly ManagementRoute[] = [...describedRoutes, openApiRoute(describedRoutes)];

/** Returns the route of the OpenAPI document of other routes, with the path of the mount as its server: GET /openapi.json. */
function openApiRoute(routes: readonly ManagementRoute[]): ManagementRoute {
  let document: object | undefined;
  return {
    name: "openapi",
    method: "GET",
    path: openApiPath,
    role: "viewer",
    summary: "The OpenAPI document of this API",
    status: 200,
    query: noQuery,
    body: noBody,
    answer: anyObject,
    exports: [],
    async respond(_services, { request, headers }) {
      readQuery(parametersOf(request), noQuery);
      document ??= describeApi(routes);
      const url = requestUrl(request).pathname.slice(0, -openApiPath.length) || "/";
      return jsonTextResponse(200, headers, JSON.stringify({ ...document, servers: [{ url }] }));
    },
  };
}
