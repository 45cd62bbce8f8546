import type { CallReport, GatewayEvent } from "@tollgate/core";

/** The event that ends a request. */
export type EndEvent = Extract<GatewayEvent, { readonly type: "request.completed" | "request.refused" }>;

/** True for the event that ends a request, however it ended. */
export const isEnd = (event: GatewayEvent): event is EndEvent =>
  event.type === "request.completed" || event.type === "request.refused";

/** True for the end of a request for which a model was called and charged, if only nothing. */
export const isChargedEnd = (event: GatewayEvent): event is EndEvent & CallReport =>
  isEnd(event) && event.cost !== undefined;
