import { gateway } from "./assistant.ts";

/** Shows what the webhook would send and whether its target is allowed. It sends nothing. */
export const result = await gateway.dryRun({
  assistant: "order-desk",
  trigger: "find_order",
  arguments: { number: 1234 },
  session: { clientData: { customer: "Ann & Bob" } },
});
