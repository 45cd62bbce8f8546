import { GatewayError } from "@tollgate/core";
import type { ManagedGateway } from "../../services.ts";

/** Throws 400 for a plan that the host has not configured, with which every request of a key would fail. */
export function requirePlan(gateway: ManagedGateway, id: string): void {
  const { plans } = gateway.inspect();
  if (plans.some((plan) => plan.id === id)) return;
  const ids = plans.map((plan) => plan.id).join(", ");
  throw new GatewayError("invalid_request", `\`plan\` is not configured. The plans are ${ids}.`, { param: "plan" });
}
