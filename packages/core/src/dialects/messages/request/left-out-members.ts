import type { MemberChange } from "../../../wire/edits.ts";
import { isJsonObject } from "../../../wire/json.ts";
import { writeLosslessJson } from "../../../wire/lossless-json.ts";
import { nullChanges } from "../../../wire/shape-of.ts";
import { type MessagesRequest, type MessagesSettings, messagesShape } from "./messages-schema.ts";
import { asksToThink } from "./reasoning-effort.ts";
import { withoutUnsigned } from "./unsigned-thinking.ts";

/** What every target of a request does without: the changes to its members, and the names that the client is told. */
export interface LeftOut {
  readonly changes: readonly MemberChange[];
  readonly names: readonly string[];
}

/** What decides what is left out. */
export interface LeftOutRules {
  /** False for a model that does not reason, so that its targets are not asked to. */
  readonly mayThink: boolean;
  /** False if the output cap leaves too little for the thinking budget. */
  readonly thinkingFits?: boolean;
  /** True if the host allows the beta `compact`. A compaction runs the model once more, and its tokens are not in the usage of the answer. */
  readonly mayCompact: boolean;
  /** False if thoughts have no signature. */
  readonly isSigned: boolean;
}

/**
 * Returns what targets that speak this dialect do not receive: members that are null, thinking and the compaction of the
 * context unless they are allowed, and thoughts without a signature. `exact` returns the request with the digits of its
 * numbers.
 */
export function leftOutMembers(
  request: MessagesSettings,
  exact: () => MessagesRequest,
  { mayThink, thinkingFits = true, mayCompact, isSigned }: LeftOutRules,
): LeftOut {
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
