export {
  type Authorize,
  type BasicLoginOptions,
  basicLogin,
  type ManagedGateway,
  type ManagementOptions,
  type ManagementStores,
  type ManagementToken,
  management,
  managementTokens,
  type Operator,
  type OperatorRequest,
  type Role,
} from "@tollgate/management";
export { dashboard } from "./dashboard.ts";
