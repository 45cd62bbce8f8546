import { webhookRunnerContract } from "@tollgate/contract";
import { webhookRunner } from "@tollgate/node";
import { describe, it } from "vitest";

webhookRunnerContract({
  test: { describe, it },
  create: ({ host, port }) => ({ runner: webhookRunner({ allowedTargets: [`${host}:${port}`] }) }),
});
