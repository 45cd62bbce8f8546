import { decodeUtf8, encodeUtf8 } from "../wire/bytes.ts";
import { isPlainObject, type JsonObject } from "../wire/json.ts";
import { parseLosslessJson, writeLosslessJson } from "../wire/lossless-json.ts";
import { derivedText, renamed, ToolNames } from "./tool-names.ts";
import type { UpstreamProfile } from "./upstream-profiles.ts";

/** What this request may have to change for its upstream. */
type Limits = Pick<UpstreamProfile, "callIds" | "thoughts" | "toolNameLength">;

/**
 * Returns a request with the ids of tool calls, the names of tools and the member of thoughts that its upstream accepts.
 * Returns the body itself if none of them has to change, which a search of its text shows without parsing it. A request
 * that does not use tools is not even searched for their names. The names of tools that were shortened, if any, are put back in
 * the answer.
 */
export function adaptRequest(
  body: Uint8Array,
  limits: Limits,
  usesTools: boolean,
): { readonly body: Uint8Array; readonly names: ToolNames | undefined } {
  const same = { body, names: undefined };
  if (!usesTools && limits.callIds === undefined && limits.thoughts !== "reasoning") return same;
  const text = decodeUtf8(body) ?? "";
  if (!mayChange(text, limits)) return same;
  const request = parseLosslessJson(text);
  if (!isPlainObject(request)) return same;
  const names = new ToolNames(limits.toolNameLength ?? Number.POSITIVE_INFINITY);
  const adapted = new RequestAdapter(limits, names).request(request);
  return { body: encodeUtf8(writeLosslessJson(adapted)), names: names.isEmpty ? undefined : names };
}

/** True if requests to an upstream may have to change. */
export const hasLimits = ({ callIds, thoughts, toolNameLength }: Limits): boolean =>
  callIds !== undefined || thoughts === "reasoning" || toolNameLength !== undefined;

/** True if the text may have a call, a renamed member or a long name. It may be wrong, but only by true. */
function mayChange(text: string, { callIds, thoughts, toolNameLength }: Limits): boolean {
  if (callIds !== undefined && text.includes('"tool_call')) return true;
  if (thoughts === "reasoning" && text.includes('"reasoning_content"')) return true;
  return toolNameLength !== undefined && text.includes('"function"') && longName(toolNameLength).test(text);
}

/** A name has no escapes, which would make it longer. */
const longName = (length: number) => new RegExp(`"name"\\s*:\\s*"[^"]{${length + 1}}`);

class RequestAdapter {
  readonly #limits: Limits;
  readonly #names: ToolNames;

  constructor(limits: Limits, names: ToolNames) {
    this.#limits = limits;
    this.#names = names;
  }

  request(request: JsonObject): JsonObject {
    const { messages, tools, tool_choice: choice } = request;
    return {
      ...request,
      ...(Array.isArray(messages) ? { messages: messages.map((each) => this.#message(each)) } : {}),
      ...(Array.isArray(tools) ? { tools: tools.map((each) => this.#named(each)) } : {}),
      ...(choice === undefined ? {} : { tool_choice: this.#choice(choice) }),
    };
  }

  #message(message: unknown): unknown {
    if (!isPlainObject(message)) return message;
    const { tool_calls: calls, tool_call_id: id } = message;
    return {
      ...this.#thoughts(message),
      ...(Array.isArray(calls) ? { tool_calls: calls.map((call) => this.#named(this.#withId(call))) } : {}),
      ...(typeof id === "string" ? { tool_call_id: this.#id(id) } : {}),
    };
  }

  #thoughts(message: JsonObject): JsonObject {
    const { reasoning_content: thoughts, ...rest } = message;
    if (this.#limits.thoughts !== "reasoning" || thoughts === undefined) return message;
    return rest["reasoning"] === undefined && thoughts !== "" ? { ...rest, reasoning: thoughts } : rest;
  }

  /** A choice names a tool, or has a list of allowed ones. */
  #choice(choice: unknown): unknown {
    const allowed = isPlainObject(choice) ? choice["allowed_tools"] : undefined;
    if (!isPlainObject(choice) || !isPlainObject(allowed) || !Array.isArray(allowed["tools"]))
      return this.#named(choice);
    return { ...choice, allowed_tools: { ...allowed, tools: allowed["tools"].map((each) => this.#named(each)) } };
  }

  #named(holder: unknown): unknown {
    return renamed(holder, (name) => this.#names.shorten(name));
  }

  #withId(call: unknown): unknown {
    return isPlainObject(call) && typeof call["id"] === "string" ? { ...call, id: this.#id(call["id"]) } : call;
  }

  #id(id: string): string {
    return this.#limits.callIds === undefined || nineAlphanumeric.test(id) ? id : derivedText(id).slice(-9);
  }
}

const nineAlphanumeric = /^[A-Za-z0-9]{9}$/;
