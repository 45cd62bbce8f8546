// What the dashboard and the command line share with this package. It may change in any release.

export { assembleManagement } from "./assemble-management.ts";
export { identifyOperator, operatorRequest } from "./authorization/identify-operator.ts";
export { PulledStream } from "./exports/pulled-stream.ts";
export { managementEndpoints } from "./management-endpoints.ts";
export type { ManagementServices } from "./services.ts";
