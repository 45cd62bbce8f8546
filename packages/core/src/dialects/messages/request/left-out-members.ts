import { writeExactJson } from "../../../wire/exact-json.ts";
import type { MemberChange } from "../../../wire/forwarding/splice-members.ts";
import { isJsonObject } from "../../../wire/json.ts";
import type { MessagesRequest } from "./messages-schema.ts";
import { asksToThink } from "./reasoning-effort.ts";
import { areSigned, withoutUnsigned } from "./unsigned-thinking.ts";

/** What every target of a request does without: the changes to its members, and the names that the client is told. */
export interface LeftOut {
  readonly changes: readonly MemberChange[];
  readonly names: readonly string[];
}

/** Optional members, which count as absent if they are null. */
const optional = [
  "system",
  "stream",
  "temperature",
  "top_p",
  "top_k",
  "stop_sequences",
  "tools",
  "tool_choice",
  "thinking",
  "output_config",
  "output_format",
  "metadata",
  "cache_control",
  "context_management",
] as const;

/**
 * Returns what targets that speak this dialect do not receive: members that are null, thinking if `mayThink` is false, the
 * compaction of the context, which costs more than the answer, and thoughts without a signature. `exact` is the same
 * request with the digits of its numbers.
 */
export function leftOutMembers(request: MessagesRequest, exact: () => MessagesRequest, mayThink: boolean): LeftOut {
  const changes: MemberChange[] = optional
    .filter((name) => request[name] === null)
    .map((name) => ({ name, value: undefined }));
  const names: string[] = [];
  const put = (name: string, value: unknown) => changes.push({ name, value, json: writeExactJson(value) });
  const dropsThinking = !mayThink && asksToThink(request);
  if (dropsThinking) {
    const { effort: _, ...config } = exact().output_config ?? {};
    names.push("thinking");
    put("thinking", undefined);
    put("output_config", Object.keys(config).length === 0 ? undefined : config);
  }
  if (request["compaction"] != null) {
    names.push("compaction");
    put("compaction", undefined);
  }
  const edits = editsOf(request);
  const isKept = (edit: unknown) => !isCostly(edit) && !(dropsThinking && isOf(edit, "clear_thinking_"));
  if (!edits.every(isKept)) {
    const kept = editsOf(exact()).filter(isKept);
    names.push("context_management");
    put("context_management", kept.length === 0 ? undefined : { ...managementOf(exact()), edits: kept });
  }
  if (!areSigned(request.messages)) put("messages", withoutUnsigned(exact().messages));
  return { changes, names };
}

const managementOf = (request: MessagesRequest) =>
  isJsonObject(request["context_management"]) ? request["context_management"] : {};

function editsOf(request: MessagesRequest): readonly unknown[] {
  const { edits } = managementOf(request);
  return Array.isArray(edits) ? edits : [];
}

/** A compaction runs the model once more, and its tokens are not in the usage of the answer. */
const isCostly = (edit: unknown): boolean => isOf(edit, "compact_");

const isOf = (edit: unknown, type: string): boolean => isJsonObject(edit) && String(edit["type"]).startsWith(type);
