import {
  listOrFunction,
  mountOptions,
  optionMembers,
  port,
  type WebhookRunner,
  wholeNumber,
} from "@tollgate/core/extension";
import type { SessionStore } from "@tollgate/core/store";
import * as v from "valibot";
import type { AssistantConfig } from "../definition/assistant-config.ts";

const sessionVerbs = [
  "create",
  "list",
  "find",
  "merge",
  "beginTurn",
  "renewTurn",
  "endTurn",
  "appendLog",
  "messages",
  "logs",
  "delete",
  "expire",
] as const satisfies readonly (keyof SessionStore)[];

/** The schema of AssistantOptions. */
export const assistantsSchema = optionMembers("the option `assistants`", {
  // checkAssistants checks the assistants themselves.
  list: listOrFunction<AssistantConfig>("assistants"),
  sessions: port<SessionStore>("a SessionStore", sessionVerbs, "memorySessionStore()"),
  runner: port<WebhookRunner>("a WebhookRunner", ["run", "checkTarget"], "webhookRunner() of @tollgate/node"),
  turns: v.exactOptional(
    optionMembers("`turns`", {
      maxRounds: v.exactOptional(wholeNumber()),
      maxWebhooks: v.exactOptional(wholeNumber()),
      parallelWebhooks: v.exactOptional(wholeNumber()),
      webhookMs: v.exactOptional(wholeNumber()),
      webhooksMs: v.exactOptional(wholeNumber()),
      leaseMs: v.exactOptional(wholeNumber()),
      historyLimit: v.exactOptional(wholeNumber()),
      historyBytes: v.exactOptional(wholeNumber()),
      imageBytes: v.exactOptional(wholeNumber()),
    }),
  ),
  sessionTtlMs: v.exactOptional(wholeNumber()),
  maxSessionsPerAccount: v.exactOptional(wholeNumber()),
  maxSessionBytesPerAccount: v.exactOptional(wholeNumber()),
  maxFormBytes: v.exactOptional(wholeNumber()),
  ...mountOptions("sessionsApi of @tollgate/assistants/openapi"),
});
