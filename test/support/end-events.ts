import type { CallReport, GatewayEvent } from "@tollgate/core";

/** The event that ends a request. */
export type EndEvent = Extract<GatewayEvent, { readonly type: "request.completed" | "request.refused" }>;

/** Returns true for the event that ends a request, whatever its outcome. */
export const isEnd = (event: GatewayEvent): event is EndEvent =>
  event.type === "request.completed" || event.type === "request.refused";

/** Returns true for the event that ends a request if a model was called and a cost was recorded, even a cost of 0. */
export const isChargedEnd = (event: GatewayEvent): event is EndEvent & CallReport =>
  isEnd(event) && event.cost !== undefined;
