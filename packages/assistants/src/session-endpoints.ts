import type { Mountable } from "@tollgate/core";
import type { AdmittedRequest, ExtensionEndpoint, GatewayResponse } from "@tollgate/core/extension";
import type { AssistantOptions } from "./config/assistant-options.ts";
import type { AssistantServices } from "./config/assistant-services.ts";
import { listLogs, listMessages, listSessions } from "./sessions/lists.ts";
import { createSession, deleteSession, showSession, updateSession } from "./sessions/session-operations.ts";
import { SessionSweep } from "./sessions/session-sweep.ts";
import { runTurn } from "./turn.ts";

/** Returns the session endpoints as a Mountable, which any adapter mounts at the root or at a prefix. */
export function sessionEndpoints(
  services: AssistantServices,
  { basePath = "", openapi }: Pick<AssistantOptions, "basePath" | "openapi">,
): Mountable {
  const sweep = new SessionSweep(services);
  const endpoint = (name: string, method: string, path: string, handle: SessionHandler): ExtensionEndpoint => ({
    name: `sessions.${name}`,
    method,
    pattern: `/session${path}`,
    forSessionTokens: name === "messages.list" || name === "messages.create",
    handle: (request, id) => handle(services, request, id),
  });
  return services.mount({
    basePath,
    variable: "gateway.sessions",
    openapi,
    endpoints: [
      endpoint("create", "POST", "", (_, request) => createSession(services, sweep, request)),
      endpoint("list", "GET", "", listSessions),
      endpoint("show", "GET", "/:id", showSession),
      endpoint("update", "PUT", "/:id", updateSession),
      endpoint("delete", "DELETE", "/:id", deleteSession),
      endpoint("messages.list", "GET", "/:id/messages", listMessages),
      endpoint("messages.create", "POST", "/:id/messages", runTurn),
      endpoint("logs.list", "GET", "/:id/logs", listLogs),
    ],
  });
}

type SessionHandler = (services: AssistantServices, request: AdmittedRequest, id: string) => Promise<GatewayResponse>;
