import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChunkChoice,
  CompletionChoice,
  ToolCallDelta,
} from "./chat-completion.ts";
import { isJsonObject, type JsonObject } from "./json.ts";
import { withTextContent } from "./message-texts.ts";
import { finishOf } from "./normalize-completion.ts";
import { textMembers } from "./output-text.ts";

type Members = Map<string, unknown>;

interface GatheredChoice {
  readonly index: number;
  readonly members: Members;
  readonly message: Members;
  /** A `function_call`, the deprecated form of a tool call. */
  readonly called: Members;
  readonly calls: Map<number, { readonly members: Members; readonly called: Members }>;
}

const texts: ReadonlySet<string> = new Set(textMembers);

/**
 * Merges the frames of a stream into a completion, for an upstream that streams although JSON was requested. Texts,
 * tool-call arguments and lists are concatenated; of any other member, the last value that is not null is kept. The
 * frames need not be normalized; the caller normalizes the completion.
 */
export function chunksToCompletion(chunks: Iterable<ChatCompletionChunk>): ChatCompletion {
  const head: Members = new Map();
  const choices = new Map<number, GatheredChoice>();
  for (const { choices: chunkChoices, ...rest } of chunks) {
    keep(head, rest);
    for (const [position, choice] of chunkChoices.entries()) gather(choices, choice, position);
  }
  head.set("object", "chat.completion");
  return {
    ...Object.fromEntries(head),
    choices: [...choices.values()].sort((a, b) => a.index - b.index).map(toChoice),
  };
}

function gather(choices: Map<number, GatheredChoice>, choice: ChunkChoice, position: number): void {
  const { delta, index = position, ...rest } = choice;
  const known = choices.get(index);
  const gathered = known ?? { index, members: new Map(), message: new Map(), called: new Map(), calls: new Map() };
  choices.set(index, gathered);
  const { logprobs, ...members } = rest;
  keep(gathered.members, members);
  mergeLogprobs(gathered.members, logprobs);
  const { tool_calls: calls, function_call: called, ...others } = delta;
  merge(gathered.message, withTextContent(others));
  if (isJsonObject(called)) gatherCalled(gathered.called, called);
  if (calls == null) return;
  gathered.message.set("tool_calls", []);
  for (const [position, call] of calls.entries()) gatherCall(gathered.calls, call, position);
}

function gatherCall(calls: GatheredChoice["calls"], piece: ToolCallDelta, position: number): void {
  const { function: called = {}, index = position, ...members } = piece;
  const gathered = calls.get(index) ?? { members: new Map(), called: new Map() };
  calls.set(index, gathered);
  keep(gathered.members, members);
  gatherCalled(gathered.called, called);
}

function gatherCalled(gathered: Members, { arguments: more, ...naming }: JsonObject): void {
  keep(gathered, naming);
  gathered.set("arguments", `${gathered.get("arguments") ?? ""}${more ?? ""}`);
}

function merge(target: Members, source: JsonObject): void {
  for (const [name, value] of Object.entries(source)) {
    const known = target.get(name);
    if (texts.has(name) && typeof value === "string" && typeof known === "string") target.set(name, known + value);
    else if (Array.isArray(value) && Array.isArray(known)) target.set(name, [...known, ...value]);
    else keepOne(target, name, value);
  }
}

function keep(target: Members, source: JsonObject): void {
  for (const [name, value] of Object.entries(source)) keepOne(target, name, value);
}

/** Sets a member, unless the new value is null or empty and the member already has one. */
function keepOne(target: Members, name: string, value: unknown): void {
  if (value === undefined) return;
  if ((value === null || value === "") && target.has(name)) return;
  target.set(name, value);
}

/** Each frame has the log probabilities of its own tokens. */
function mergeLogprobs(target: Members, logprobs: unknown): void {
  const known = target.get("logprobs");
  if (!isJsonObject(known) || !isJsonObject(logprobs)) {
    keepOne(target, "logprobs", logprobs);
    return;
  }
  const merged: Members = new Map(Object.entries(known));
  merge(merged, logprobs);
  target.set("logprobs", Object.fromEntries(merged));
}

function toChoice({ index, members, message, called: legacy, calls }: GatheredChoice): CompletionChoice {
  const called = [...calls.entries()].sort(([a], [b]) => a - b).map(([, call]) => toCall(call));
  return {
    index,
    ...Object.fromEntries(members),
    message: {
      ...Object.fromEntries(message),
      ...(legacy.size > 0 ? { function_call: Object.fromEntries(legacy) } : {}),
      ...(message.has("tool_calls") ? { tool_calls: called } : {}),
    },
  };
}

function toCall({ members, called }: Pick<GatheredChoice, "members" | "called">) {
  const { id, type: _, ...rest } = Object.fromEntries(members);
  const { name, arguments: args, ...others } = Object.fromEntries(called);
  return {
    ...rest,
    id: typeof id === "string" ? id : "",
    type: "function" as const,
    function: {
      ...others,
      name: typeof name === "string" ? name : "",
      arguments: typeof args === "string" ? args : "",
    },
  };
}

/**
 * Converts a completion to the frames of a stream, for an upstream that answered with JSON although a stream was
 * requested. Each choice becomes its message and its finish_reason. The usage, if any, comes last.
 */
export function completionToChunks(completion: ChatCompletion): ChatCompletionChunk[] {
  const { usage, choices, ...rest } = completion;
  const head = { ...rest, object: "chat.completion.chunk" };
  const answers = choices.flatMap((choice, position) =>
    framesOf(choice, position).map((frame) => ({ ...head, choices: [frame] })),
  );
  return usage == null ? answers : [...answers, { ...head, choices: [], usage }];
}

function framesOf({ message, finish_reason, ...rest }: CompletionChoice, position: number) {
  const index = rest.index ?? position;
  const { tool_calls: calls, ...others } = withTextContent(message);
  // The members of an upstream's message have not been validated.
  const indexed = Array.isArray(calls) ? calls.map((call, at) => ({ index: at, ...call })) : undefined;
  const delta = {
    role: "assistant",
    ...others,
    ...(indexed === undefined ? {} : { tool_calls: indexed }),
  };
  const finish = finish_reason ?? finishOf(message);
  return [
    { ...rest, index, delta, finish_reason: null },
    { index, delta: {}, finish_reason: finish },
  ];
}

/** True for a frame with choices. Their shape is not checked. */
export const isChunk = (frame: unknown): frame is ChatCompletionChunk =>
  isJsonObject(frame) && Array.isArray(frame["choices"]);

/** Yields chunks as the stream of a provider that has all of them. */
export async function* streamOf(chunks: readonly ChatCompletionChunk[]): AsyncGenerator<ChatCompletionChunk> {
  yield* chunks;
}
