import type { ApiKey } from "../ports/key-store.ts";
import type { ModelTarget } from "../ports/model.ts";
import type { TargetPreference } from "../routing/plan-targets.ts";
import { isJsonObject, isText } from "../wire/json.ts";
import type { PaidCall } from "./paid-call.ts";

/** The parts of a request that name its conversation. */
interface Asked {
  readonly call: Pick<PaidCall["call"], "member" | "nativeMethod">;
  readonly exchange: Pick<PaidCall["exchange"], "request" | "report">;
  readonly caller: { readonly key: Pick<ApiKey, "account"> };
}

/** Which targets a request prefers: those that speak its dialect, and the one whose cache has its conversation. */
export class RequestPreference implements TargetPreference {
  readonly #asked: Asked;

  constructor(asked: Asked) {
    this.#asked = asked;
  }

  nativeMethod(target: ModelTarget): unknown {
    return this.#asked.call.nativeMethod(target);
  }

  conversation(): string | undefined {
    return conversationOf(this.#asked);
  }
}

/** Headers in which clients name the conversation: opencode, Codex, its older versions, and Claude Code. */
const sessionHeaders = [
  "x-session-affinity",
  "x-session-id",
  "session-id",
  "session_id",
  "x-claude-code-session-id",
] as const;

/**
 * Returns the name of the conversation that a request belongs to, of its account alone: the `prompt_cache_key` of the body, a
 * header, the session within `metadata.user_id`, or the session of an assistant. Undefined if there is none.
 */
export function conversationOf({ call, exchange, caller }: Asked): string | undefined {
  const cacheKey = call.member("prompt_cache_key");
  const named = isText(cacheKey)
    ? cacheKey
    : (sessionHeader(exchange.request) ?? sessionOfUser(call) ?? exchange.report.sessionId);
  return named && `${caller.key.account}\0${named}`;
}

function sessionHeader(request: Asked["exchange"]["request"]): string | undefined {
  for (const name of sessionHeaders) {
    const value = request.header(name);
    if (isText(value)) return value;
  }
  return undefined;
}

/** Claude Code writes `user_<hash>_account_<uuid>_session_<uuid>`, or JSON with the member `session_id`. */
function sessionOfUser(call: Asked["call"]): string | undefined {
  const metadata = call.member("metadata");
  const user = isJsonObject(metadata) ? metadata["user_id"] : undefined;
  return isText(user) ? sessionInUser.exec(user)?.[1] : undefined;
}

const sessionInUser = /(?:_session_|"session_id" *: *")([\w-]{8,64})(?:$|")/;
