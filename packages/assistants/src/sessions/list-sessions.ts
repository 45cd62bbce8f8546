import { type AdmittedRequest, callStoreWithTimeout, type GatewayResponse } from "@tollgate/core/extension";
import type { SessionPosition } from "@tollgate/core/store";
import type { AssistantServices } from "../config/assistant-services.ts";
import { listPage, readPageRequest } from "./list-page.ts";
import { isSession, sessionRecord } from "./session-record.ts";

/** GET /session: returns a page of the sessions of the key's account, newest first. */
export async function listSessions(services: AssistantServices, request: AdmittedRequest): Promise<GatewayResponse> {
  const { size, cursor } = readPageRequest(request.url, "before", toPosition);
  const page = await callStoreWithTimeout(
    services.storeTimeoutMs,
    () => services.sessions.list(request.account, cursor === undefined ? size : { ...size, before: cursor }),
    (result) => Array.isArray(result?.sessions) && result.sessions.every(isSession),
  );
  return request.respond(200, listPage(page.sessions.map(sessionRecord), page.next && toCursor(page.next)));
}

/** The time in milliseconds, and the id, since several sessions may be created in the same millisecond. */
const cursorSyntax = /^(\d{1,15})_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

const toCursor = ({ createdAt, id }: SessionPosition): string => `${createdAt.getTime()}_${id}`;

function toPosition(text: string): SessionPosition | undefined {
  const [, time, id] = cursorSyntax.exec(text) ?? [];
  return id === undefined ? undefined : { createdAt: new Date(Number(time)), id };
}
