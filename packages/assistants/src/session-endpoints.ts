import type { CorsPolicy } from "../edge/cors.ts";
import { type EndpointHandler, mount, routeTable } from "../edge/mount.ts";
import { documentRoute, type OpenApiDocument, serveDocument } from "../edge/serve-document.ts";
import type { Mountable } from "../ports/mountable.ts";
import type { AssistantServices } from "./config/assistant-services.ts";
import { createSession } from "./sessions/create-session.ts";
import { deleteSession } from "./sessions/delete-session.ts";
import { listLogs } from "./sessions/list-logs.ts";
import { listMessages } from "./sessions/list-messages.ts";
import { listSessions } from "./sessions/list-sessions.ts";
import { SessionSweep } from "./sessions/session-sweep.ts";
import { showSession } from "./sessions/show-session.ts";
import { updateSession } from "./sessions/update-session.ts";

const routes = [
  { name: "sessions.create", method: "POST", pattern: "/session" },
  { name: "sessions.list", method: "GET", pattern: "/session" },
  { name: "sessions.show", method: "GET", pattern: "/session/:id" },
  { name: "sessions.update", method: "PUT", pattern: "/session/:id" },
  { name: "sessions.delete", method: "DELETE", pattern: "/session/:id" },
  { name: "sessions.messages.list", method: "GET", pattern: "/session/:id/messages" },
  { name: "sessions.messages.create", method: "POST", pattern: "/session/:id/messages" },
  { name: "sessions.logs.list", method: "GET", pattern: "/session/:id/logs" },
] as const;

/** The paths of the session endpoints, and the handler of a turn. */
export interface SessionEndpointOptions {
  /** The mount point that `fetch` assumes when no adapter passes one; "" for the root. */
  readonly basePath: string;
  readonly cors: CorsPolicy | undefined;
  /** Served at /openapi.json. Undefined: it is not served. */
  readonly openapi: OpenApiDocument | undefined;
  /** POST /session/{id}/messages. */
  readonly runTurn: EndpointHandler<AssistantServices>;
}

/** Returns the session endpoints as a Mountable, which any adapter mounts at the root or at a prefix. */
export function sessionEndpoints(
  services: AssistantServices,
  { basePath, cors, openapi, runTurn }: SessionEndpointOptions,
): Mountable {
  const sweep = new SessionSweep(services);
  return mount(services, {
    basePath,
    variable: "gateway.sessions",
    cors,
    routes: openapi === undefined ? routeTable(routes) : routeTable([...routes, documentRoute]),
    handlers: {
      openapi: serveDocument(openapi, basePath),
      "sessions.create": (_, exchange) => createSession(services, sweep, exchange),
      "sessions.list": listSessions,
      "sessions.show": showSession,
      "sessions.update": updateSession,
      "sessions.delete": deleteSession,
      "sessions.messages.list": listMessages,
      "sessions.messages.create": runTurn,
      "sessions.logs.list": listLogs,
    },
  });
}
