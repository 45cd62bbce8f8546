import type { GatewayError } from "../../../errors/gateway-error.ts";
import type { ModelTarget } from "../../../ports/model.ts";
import { droppedNames, type NativeRequest } from "../../../request/native-request.ts";
import type { CacheTtl, MemberChange } from "../../../wire/edits.ts";
import type { Changes, RequestText } from "../../../wire/forwarding/request-text.ts";
import { fitThinkingBudgets } from "../../../wire/forwarding/thinking-budgets.ts";
import type { JsonObject } from "../../../wire/json.ts";
import { writeLosslessJson } from "../../../wire/lossless-json.ts";
import { leftOutBlocks } from "./chat-blocks.ts";
import { isAccepted, leftOut } from "./defined-tools.ts";
import { type LeftOut, type LeftOutRules, leftOutMembers } from "./left-out-members.ts";
import type { MessagesRequest, MessagesSettings } from "./messages-schema.ts";

/** A request, and what is known of it. */
export interface MessagesNativeOptions extends LeftOutRules {
  readonly settings: MessagesSettings;
  readonly text: RequestText;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly untranslatable: GatewayError | undefined;
  /** The cache lifetime that the top level of the request sets. */
  readonly ttl: CacheTtl | undefined;
  /** Returns the whole request with the digits of its numbers. */
  exact(): MessagesRequest;
}

/** Members that only targets of this dialect know, and that are left out for others. */
const nativeOnly = ["context_management", "compaction"];

/** A Messages request for targets that speak the dialect: the client's bytes, less what the gateway does not send on. */
export class MessagesNativeRequest implements NativeRequest {
  readonly text: RequestText;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly untranslatable: GatewayError | undefined;
  readonly onAnswer = undefined;
  readonly #options: MessagesNativeOptions;
  #leftOut: LeftOut | undefined;

  constructor(options: MessagesNativeOptions) {
    this.text = options.text;
    this.headers = options.headers;
    this.query = options.query;
    this.untranslatable = options.untranslatable;
    this.#options = options;
  }

  changes(target: ModelTarget, outputCap: number | undefined): Changes {
    const { settings, ttl } = this.#options;
    // A later change of a member replaces an earlier one.
    const thinking = this.#thinkingChanges(outputCap);
    const changes = new Map([...thinking, ...this.#members(thinking).changes].map((change) => [change.name, change]));
    const add = (change: MemberChange) => changes.set(change.name, change);
    add({ name: "model", value: target.upstreamModel, json: target.upstreamModelJson });
    if (outputCap !== undefined && outputCap !== settings.max_tokens) add({ name: "max_tokens", value: outputCap });
    if (ttl !== undefined && !target.cacheTtls.has(ttl)) add({ name: "cache_control", value: undefined });
    for (const change of this.#toolChanges(target)) add(change);
    return {
      members: [...changes.values()],
      isRemoved: ({ why }) => why !== "thoughts" && (why === "null" || !target.cacheTtls.has(why)),
    };
  }

  dropped(target: ModelTarget, isNative: boolean, outputCap: number | undefined): readonly string[] {
    const { settings, exact } = this.#options;
    const { names } = this.#members(isNative ? this.#thinkingChanges(outputCap) : []);
    const tools = leftOut(settings.tools ?? [], target, isNative);
    if (isNative) return droppedNames([...tools, ...names]);
    const members = nativeOnly.filter((name) => settings[name] != null);
    return droppedNames([...tools, ...names, ...members, ...leftOutBlocks(exact().messages)]);
  }

  /** A budget above a cap that the client chose is the client's mistake, which the upstream reports. */
  #thinkingChanges(cap: number | undefined): readonly MemberChange[] {
    const { settings } = this.#options;
    const isLowered = cap !== undefined && cap < (settings.max_tokens ?? 0);
    return isLowered ? fitThinkingBudgets(settings, cap) : [];
  }

  #members(thinking: readonly MemberChange[]): LeftOut {
    const { settings, exact } = this.#options;
    const fits = thinking.every(({ value }) => value !== undefined);
    if (!fits) return leftOutMembers(settings, exact, { ...this.#options, thinkingFits: false });
    this.#leftOut ??= leftOutMembers(settings, exact, this.#options);
    return this.#leftOut;
  }

  #toolChanges(target: ModelTarget): readonly MemberChange[] {
    const { settings, exact } = this.#options;
    const accepts = (tool: JsonObject) => isAccepted(tool, target, true);
    if ((settings.tools ?? []).every(accepts)) return [];
    const kept = (exact().tools ?? []).filter(accepts);
    if (kept.length > 0) return [{ name: "tools", value: kept, json: writeLosslessJson(kept) }];
    return [
      { name: "tools", value: undefined },
      { name: "tool_choice", value: undefined },
    ];
  }
}
