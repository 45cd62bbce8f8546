// What the packages of this workspace share among themselves. It may change in any release.

export { isReservedHeader } from "./assistants/webhook/template/header-names.ts";
export { type EndpointHandler, mount, type Route, routeTable } from "./edge/mount.ts";
export { toWebContent } from "./edge/to-response.ts";
export { requireKnown } from "./options/require-known.ts";
export { requireMethods } from "./options/require-methods.ts";
export type { BodyReceiver, BodySource, ClientRequest, ClientSignal } from "./ports/client-request.ts";
export {
  type GatewayResponse,
  isResponseStream,
  jsonResponse,
  type ResponseStream,
  type UnreadResponses,
} from "./ports/gateway-response.ts";
export type { RequestContext } from "./request/request-stages.ts";
export type { MountServices } from "./request/services.ts";
export type { Awaitable } from "./runtime/awaitable.ts";
export { IndexedSet, type Listed } from "./runtime/shared-ticker.ts";
export { shortcuts } from "./wire/forwarding/shortcuts.ts";
export { isHeaderName } from "./wire/header-name.ts";
