import { callStoreWithTimeout } from "../../ports/call-store-with-timeout.ts";
import { type GatewayResponse, jsonTextResponse } from "../../ports/gateway-response.ts";
import type { SessionPosition } from "../../ports/session-store.ts";
import type { Exchange } from "../../request/exchange.ts";
import { admit } from "../../steps/admit.ts";
import { writeExactJson } from "../../wire/exact-json.ts";
import type { AssistantServices } from "../config/assistant-services.ts";
import { listPage, readPageRequest } from "./list-page.ts";
import { isSession, sessionRecord } from "./session-record.ts";

/** GET /session: returns a page of the sessions of the key's account, newest first. */
export async function listSessions(services: AssistantServices, exchange: Exchange): Promise<GatewayResponse> {
  const admitted = await admit(services, exchange);
  try {
    const { size, cursor } = readPageRequest(admitted.exchange.request, "before", toPosition);
    const { account } = admitted.caller.key;
    const page = await callStoreWithTimeout(
      services.storeTimeoutMs,
      () => services.sessions.list(account, cursor === undefined ? size : { ...size, before: cursor }),
      (result) => Array.isArray(result?.sessions) && result.sessions.every(isSession),
    );
    const next = page.next && toCursor(page.next);
    return jsonTextResponse(
      200,
      admitted.exchange.headers,
      writeExactJson(listPage(page.sessions.map(sessionRecord), next)),
    );
  } finally {
    admitted.slot.release();
  }
}

/** The time in milliseconds, and the id, since several sessions may be created in the same millisecond. */
const cursorSyntax = /^(\d{1,15})_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

const toCursor = ({ createdAt, id }: SessionPosition): string => `${createdAt.getTime()}_${id}`;

function toPosition(text: string): SessionPosition | undefined {
  const [, time, id] = cursorSyntax.exec(text) ?? [];
  return id === undefined ? undefined : { createdAt: new Date(Number(time)), id };
}
