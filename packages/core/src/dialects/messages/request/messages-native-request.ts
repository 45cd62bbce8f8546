import type { GatewayError } from "../../../errors/gateway-error.ts";
import type { ModelTarget } from "../../../ports/model.ts";
import { droppedNames, type NativeRequest } from "../../../request/native-request.ts";
import type { CacheTtl, MemberChange } from "../../../wire/edits.ts";
import type { Changes, RequestText } from "../../../wire/forwarding/request-text.ts";
import { fitThinkingBudgets } from "../../../wire/forwarding/thinking-budgets.ts";
import { isJsonObject, type JsonObject } from "../../../wire/json.ts";
import { writeLosslessJson } from "../../../wire/lossless-json.ts";
import { nullChanges } from "../../../wire/shape-of.ts";
import { leftOutBlocks } from "./chat-blocks.ts";
import { isAccepted, leftOut } from "./defined-tools.ts";
import { type Message, type MessagesRequest, type MessagesSettings, messagesShape } from "./messages-schema.ts";
import { asksToThink } from "./reasoning-effort.ts";

/** A request, and what is known of it. */
interface MessagesNativeOptions {
  readonly settings: MessagesSettings;
  readonly text: RequestText;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly untranslatable: GatewayError | undefined;
  /** The cache lifetime that the top level of the request sets. */
  readonly ttl: CacheTtl | undefined;
  /** False for a model that does not reason, so that its targets are not asked to. */
  readonly mayThink: boolean;
  /** True if the host allows the beta `compact`. A compaction runs the model once more, and its tokens are not in the usage of the answer. */
  readonly mayCompact: boolean;
  /** False if thoughts have no signature. */
  readonly isSigned: boolean;
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
  #leftOut: ReturnType<typeof leftOutMembers> | undefined;

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

  #members(thinking: readonly MemberChange[]): ReturnType<typeof leftOutMembers> {
    const { settings, exact } = this.#options;
    const fits = thinking.every(({ value }) => value !== undefined);
    if (!fits) return leftOutMembers(settings, exact, this.#options, false);
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

/**
 * Returns what targets that speak this dialect do not receive, as changes of members and as the names that the client is
 * told: members that are null, thinking and the compaction of the context unless they are allowed, and thoughts without a
 * signature. `exact` returns the request with the digits of its numbers. `thinkingFits` is false if the output cap leaves too
 * little for the thinking budget.
 */
export function leftOutMembers(
  request: MessagesSettings,
  exact: () => MessagesRequest,
  { mayThink, mayCompact, isSigned }: Pick<MessagesNativeOptions, "mayThink" | "mayCompact" | "isSigned">,
  thinkingFits = true,
) {
  const changes: MemberChange[] = [...nullChanges(request, messagesShape)];
  const names: string[] = [];
  const put = (name: string, value: unknown) => changes.push({ name, value, json: writeLosslessJson(value) });
  const dropsEffort = !mayThink && asksToThink(request);
  const dropsThinking = dropsEffort || !thinkingFits;
  if (dropsThinking) {
    names.push("thinking");
    put("thinking", undefined);
  }
  if (dropsEffort) {
    const { effort: _, ...config } = exact().output_config ?? {};
    put("output_config", Object.keys(config).length === 0 ? undefined : config);
  }
  if (!mayCompact && request["compaction"] != null) {
    names.push("compaction");
    put("compaction", undefined);
  }
  const edits = editsOf(request);
  const isKept = (edit: unknown) =>
    (mayCompact || !isOf(edit, "compact_")) && !(dropsThinking && isOf(edit, "clear_thinking_"));
  if (!edits.every(isKept)) {
    const kept = editsOf(exact()).filter(isKept);
    names.push("context_management");
    put("context_management", kept.length === 0 ? undefined : { ...managementOf(exact()), edits: kept });
  }
  if (!isSigned) put("messages", withoutUnsigned(exact().messages));
  return { changes, names };
}

const managementOf = (request: MessagesSettings) =>
  isJsonObject(request["context_management"]) ? request["context_management"] : {};

function editsOf(request: MessagesSettings): readonly unknown[] {
  const { edits } = managementOf(request);
  return Array.isArray(edits) ? edits : [];
}

const isOf = (edit: unknown, type: string): boolean => isJsonObject(edit) && String(edit["type"]).startsWith(type);

/** True for a thought without a signature, which a target that was called with a chat completion has thought. */
const isUnsigned = (block: unknown): boolean =>
  isJsonObject(block) && block["type"] === "thinking" && (block["signature"] == null || block["signature"] === "");

/** True if no thought of the messages lacks its signature, without which Anthropic's API refuses the request. */
export const areSigned = (messages: readonly Message[]): boolean =>
  messages.every(({ content }) => typeof content === "string" || !content.some(isUnsigned));

/** Returns the messages without unsigned thoughts. */
const withoutUnsigned = (messages: readonly Message[]): readonly Message[] =>
  messages.flatMap((message) => {
    const { content } = message;
    if (typeof content === "string" || !content.some(isUnsigned)) return [message];
    const kept = content.filter((block) => !isUnsigned(block));
    return kept.length === 0 ? [] : [{ ...message, content: kept }];
  });
