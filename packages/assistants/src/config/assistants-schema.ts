import * as v from "valibot";
import { openApiDocument } from "../../edge/serve-document.ts";
import { basePath } from "../../options/base-path.ts";
import { listOrFunction, port, wanted, wholeNumber } from "../../options/leaves.ts";
import { optionMembers } from "../../options/members.ts";
import type { SessionStore } from "../../ports/session-store.ts";
import type { WebhookRunner } from "../../ports/webhook-runner.ts";
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

// checkAssistants checks the assistants themselves.
const list = v.custom<readonly AssistantConfig[]>(Array.isArray, wanted("must be an array of assistants"));

/** The schema of AssistantOptions. */
export const assistantsSchema = optionMembers("the option `assistants`", {
  list: listOrFunction("assistants", list),
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
  basePath: v.exactOptional(basePath),
  openapi: v.exactOptional(openApiDocument("sessionsApi")),
});
