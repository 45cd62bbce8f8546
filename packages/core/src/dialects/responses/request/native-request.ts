import type { Model, ModelTarget } from "../../../ports/model.ts";
import type { ProviderAdapter } from "../../../ports/provider-adapter.ts";
import type { AccountSigner } from "../../../request/account-signer.ts";
import { droppedNames, type NativeRequest } from "../../../request/native-request.ts";
import type { MemberChange } from "../../../wire/edits.ts";
import type { Changes, RequestText } from "../../../wire/forwarding/request-text.ts";
import { isJsonObject } from "../../../wire/json.ts";
import { findNamed, type JsonMember, keepElements, rewriteElements } from "../../../wire/json-members.ts";
import { parseLosslessJson, writeLosslessJson } from "../../../wire/lossless-json.ts";
import { isAllowedAt, isTranslatable, withAllowedTools } from "./hosted-tools.ts";
import type { ReadResponses } from "./read-responses.ts";
import type { TypedObject } from "./request-schema.ts";
import { offeredTools } from "./to-chat-tools.ts";

/** What a request of the Responses API is made of: what was read of it, its bytes, and the ranges of its members. */
interface NativeParts
  extends Pick<ReadResponses, "sent" | "state" | "rewritten" | "exact" | "leftOut" | "untranslatable"> {
  readonly bytes: Uint8Array;
  readonly members: readonly JsonMember[];
  readonly text: RequestText;
  readonly signer: AccountSigner;
}

/** A request of the Responses API, for targets that speak it, and what a translated answer repeats of it. */
export class ResponsesNativeRequest implements NativeRequest {
  readonly text: RequestText;
  /** None: the headers of clients such as Codex name the client only. */
  readonly headers = {};
  readonly query = {};
  readonly onAnswer: NativeRequest["onAnswer"];
  readonly parts: NativeParts;

  constructor(parts: NativeParts) {
    this.text = parts.text;
    this.onAnswer = parts.state.onAnswer;
    this.parts = parts;
  }

  get untranslatable(): NativeRequest["untranslatable"] {
    return this.parts.untranslatable();
  }

  changes(target: ModelTarget, outputCap: number | undefined, model: Model): Changes {
    const members: MemberChange[] = [
      { name: "model", value: target.upstreamModel, json: target.upstreamModelJson },
      // Responses are stored by the gateway, or by nobody.
      { name: "store", value: false },
      { name: "previous_response_id", value: undefined },
      ...this.parts.signer.idChanges(this.parts.sent, target.provider),
    ];
    if (outputCap !== undefined) members.push({ name: "max_output_tokens", value: outputCap });
    this.#changeTools(members, target);
    this.#changeReasoning(members, target, model);
    this.#changeInput(members, target);
    return { members, isRemoved: () => false };
  }

  dropped(target: ModelTarget, isNative: boolean): readonly string[] {
    const { sent, state, leftOut } = this.parts;
    const isKept = (tool: TypedObject): boolean => (isNative ? isAllowedAt(target, tool) : isTranslatable(tool));
    const tools = offeredTools({ ...sent, input: state.request.input }).filter((tool) => !isKept(tool));
    const names = [...tools.map(({ type }) => type), ...(isNative ? [] : leftOut())];
    return droppedNames(names);
  }

  #changeTools(members: MemberChange[], target: ModelTarget): void {
    const { tools, tool_choice: choice } = this.parts.sent;
    if (tools == null || tools.every((tool) => isAllowedAt(target, tool))) return;
    const kept = tools.filter((tool) => isAllowedAt(target, tool));
    const { bytes, members: sent } = this.parts;
    const member = findNamed(bytes, sent, "tools");
    if (kept.length === 0 || member === undefined) {
      members.push({ name: "tools", value: undefined }, { name: "tool_choice", value: undefined });
      return;
    }
    const isKept = (index: number): boolean => {
      const tool = tools[index];
      return tool !== undefined && isAllowedAt(target, tool);
    };
    members.push({ name: "tools", value: kept, json: keepElements(bytes, member, isKept) });
    if (!isJsonObject(choice) || !Array.isArray(choice["tools"])) return;
    const allowed = choice["tools"].filter(
      (tool) => !isJsonObject(tool) || kept.some(({ type }) => type === tool["type"]),
    );
    members.push({ name: "tool_choice", value: allowed.length === 0 ? "none" : { ...choice, tools: allowed } });
  }

  /** Clients send `reasoning` without an effort to any model. */
  #changeReasoning(members: MemberChange[], { provider }: ModelTarget, model: Model): void {
    const { reasoning } = this.parts.sent;
    if (reasoning?.effort != null) return;
    if (model.reasoning === undefined) {
      members.push({ name: "reasoning", value: undefined });
    } else if (provider.capabilities.refusedFields?.includes("reasoning_effort") !== true) {
      members.push({ name: "reasoning", value: { ...reasoning, effort: model.reasoning.defaultEffort } });
    }
  }

  #changeInput(members: MemberChange[], target: ModelTarget): void {
    const { sent, state, rewritten, bytes, signer } = this.parts;
    const { input } = state.request;
    if (input !== sent.input) {
      const items = Array.isArray(input) ? input.map((item) => itemFor(item, target, signer)) : [];
      const value = items.filter((item) => item !== undefined);
      members.push({ name: "input", value, json: writeLosslessJson(value) });
      return;
    }
    const member = findNamed(bytes, this.parts.members, "input");
    if (rewritten.size === 0 || member === undefined) return;
    const json = rewriteElements(bytes, member, (item, at) =>
      rewritten.has(at) ? jsonFor(item, target, signer) : item,
    );
    members.push({ name: "input", value: [], json });
  }
}

function jsonFor(json: string, target: ModelTarget, signer: AccountSigner): string | undefined {
  const item = itemFor(parseLosslessJson(json), target, signer);
  return item === undefined ? undefined : writeLosslessJson(item);
}

/** Returns an item as a target gets it, or undefined if it does not get it. */
function itemFor(item: unknown, target: ModelTarget, signer: AccountSigner): unknown {
  const unsealed = unsealItem(item, target.provider, signer);
  return isJsonObject(unsealed) ? withAllowedTools(unsealed, target) : unsealed;
}

/**
 * Returns an output item of a provider with its encrypted content sealed. It can be read only by the account that made it
 * upstream, and names nothing that tells the account. Two providers of one name are taken for the same account.
 */
export function sealItem(item: unknown, provider: ProviderAdapter, signer: AccountSigner): unknown {
  if (!isJsonObject(item) || typeof item["encrypted_content"] !== "string") return item;
  return { ...item, encrypted_content: signer.seal(item["encrypted_content"], provider) };
}

/**
 * Returns an input item as a provider gets it: encrypted content as the provider made it. Undefined for the reasoning of
 * others, which a provider that stores nothing cannot find either.
 */
export function unsealItem(item: unknown, provider: ProviderAdapter, signer: AccountSigner): unknown {
  if (!isJsonObject(item) || item["type"] !== "reasoning") return item;
  const { encrypted_content: content } = item;
  const own = typeof content === "string" ? signer.unseal(content, provider) : undefined;
  return own === undefined ? undefined : { ...item, encrypted_content: own };
}
