// What the dashboard and the command line share with this package. It may change in any release.

export { isNewAccount, type ListedAccount, listAccounts } from "./administration/accounts.ts";
export type { Administrator } from "./administration/audited.ts";
export { acceptTerms, limitSpend, postAmount } from "./administration/change-accounts.ts";
export { createKey, revokeKey, rotateKey, updateKey } from "./administration/change-keys.ts";
export { assembleManagement } from "./assemble-management.ts";
export { identifyOperator, operatorRequest } from "./authorization/identify-operator.ts";
export { PulledStream } from "./exports/pulled-stream.ts";
export { managementEndpoints } from "./management-endpoints.ts";
export type { ManagementServices } from "./services.ts";
