// What the dashboard and the command line share with this package. It may change in any release.

export { assembleManagement } from "./assemble-management.ts";
export { identifyOperator, operatorRequest } from "./authorization/authorize.ts";
export { PulledStream } from "./exports/pulled-stream.ts";
export { managementEndpoints } from "./management.ts";
export type { ManagementServices } from "./operations/context.ts";
