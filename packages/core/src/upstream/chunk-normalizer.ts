import { type FinishReasons, finishReasonOf } from "../wire/answer-form.ts";
import type { AnswerIdentity } from "../wire/chat-completion.ts";
import { isJsonObject, isText, isTime, type JsonObject } from "../wire/json.ts";
import { withTextContent } from "../wire/message-texts.ts";
import { bytesOfOutput, readOutput } from "../wire/output-text.ts";
import { envelope } from "./frames.ts";
import { isIndex, ToolCallNormalizer } from "./tool-call-normalizer.ts";

interface ChoiceState {
  readonly index: number;
  /** Created with the first tool call. */
  toolCalls: ToolCallNormalizer | undefined;
  /** True after a `function_call`, the deprecated form of a tool call. */
  functionCalled: boolean;
  started: boolean;
  finished: boolean;
  finishReason: string | undefined;
}

const assistant = { role: "assistant" };
const nothing = { frame: undefined, textBytes: 0, isSubstantive: false };

/**
 * Normalizes the frames of one stream, in their order: public model id, one `id` and one `created`, the role on the first
 * frame of each choice, the index of choices and tool calls, and one finish_reason per choice. It does not change its
 * input, and does not handle usage, errors or bytes.
 */
export class ChunkNormalizer {
  #first: ChoiceState | undefined;
  /** Created with the second choice, which few streams have. */
  #others: Map<number, ChoiceState> | undefined;
  #identity: AnswerIdentity;
  #hasIdentity = false;
  #unfinished = 0;
  readonly #finishReasons: FinishReasons | undefined;
  /** True once the upstream gave a choice up, which is a failure. */
  isInterrupted = false;
  /** The number of tool calls so far. After a new one, templates are invalid: a piece of a known shape may belong to another call. */
  toolCallCount = 0;
  /** True if the upstream has sent reasoning that is encrypted or redacted. */
  hasHiddenReasoning = false;
  readonly #imageTokens: number | undefined;

  /** `finishReasons` has further words of the upstream, and `imageTokens` are the least that an image counts in `textBytes`. */
  constructor(identity: AnswerIdentity, finishReasons?: FinishReasons, imageTokens?: number) {
    this.#identity = identity;
    this.#imageTokens = imageTokens;
    this.#finishReasons = finishReasons;
  }

  /** Id, time and model of the stream: the upstream's id and time if its first frame had them, else those of the constructor. */
  get identity(): AnswerIdentity {
    return this.#identity;
  }

  /** True once a choice has begun. */
  get hasStarted(): boolean {
    return this.#first !== undefined;
  }

  /** True when a choice has begun and every one that has begun is finished. */
  get finished(): boolean {
    return this.hasStarted && this.#unfinished === 0;
  }

  /** How many choices are finished. */
  get finishedChoices(): number {
    const started = this.#first === undefined ? 0 : 1 + (this.#others?.size ?? 0);
    return started - this.#unfinished;
  }

  /** Why the finished choices ended. */
  get finishReasons(): readonly string[] {
    const choices = [this.#first, ...(this.#others?.values() ?? [])];
    return choices.flatMap((choice) => choice?.finishReason ?? []);
  }

  /**
   * Normalizes a frame whose usage has been removed. Returns the frame, undefined when nothing is sent to the client, its bytes
   * of output, as `bytesOfOutput` counts them, and whether it has content, reasoning, a tool call or a finish_reason.
   */
  normalize(frame: JsonObject): {
    readonly frame: JsonObject | undefined;
    readonly textBytes: number;
    readonly isSubstantive: boolean;
  } {
    const upstream = frame["choices"];
    if (!Array.isArray(upstream)) return nothing;
    let textBytes = 0;
    let isSubstantive = false;
    const choices: JsonObject[] = [];
    upstream.filter(isJsonObject).forEach((choice, position) => {
      const normalized = this.#normalizeChoice(choice, position);
      if (normalized.choice !== undefined) choices.push(normalized.choice);
      textBytes += normalized.textBytes;
      isSubstantive ||= normalized.isSubstantive;
    });
    if (choices.length === 0) return nothing;
    this.#adoptIdentity(frame);
    const head = envelope(this.#identity);
    return { frame: { ...head, ...frame, ...head, choices }, textBytes, isSubstantive };
  }

  /** Returns one frame for each choice that has no finish_reason yet. */
  finish(): JsonObject[] {
    const choices = this.#first === undefined ? [] : [this.#first, ...(this.#others?.values() ?? [])];
    const unfinished = choices.filter((choice) => !choice.finished);
    return unfinished.map((choice) => {
      const reason = defaultFinishReason(choice);
      this.#close(choice, reason);
      return {
        ...envelope(this.#identity),
        choices: [{ index: choice.index, delta: closeCalls({}, choice), finish_reason: reason }],
      };
    });
  }

  #normalizeChoice(upstream: JsonObject, position: number) {
    const state = this.#choice(isIndex(upstream["index"]) ? upstream["index"] : position);
    const { index } = state;
    const sent = isJsonObject(upstream["delta"]) ? upstream["delta"] : {};
    const hasOutput = hasMember(sent, "role");
    const normalized = this.#normalizeDelta(sent, state);
    const heldBack = Array.isArray(sent["tool_calls"]) && state.toolCalls?.heldBack === true;
    const finish = this.#finishReason(upstream["finish_reason"], state);
    const last = finish !== null && !state.finished;
    const repeated =
      finish !== null && state.finished && !hasOutput && !hasMember(upstream, "index", "delta", "finish_reason");
    if (last) this.#close(state, finish);
    const delta = last ? closeCalls(normalized, state) : normalized;
    const head = { index, delta };
    const output = readOutput(delta);
    this.hasHiddenReasoning ||= output.hasHiddenReasoning;
    return {
      choice: repeated ? undefined : { ...head, ...upstream, ...head, finish_reason: last ? finish : null },
      textBytes: bytesOfOutput(output, this.#imageTokens),
      isSubstantive: last || (heldBack ? hasMember(sent, "role", "tool_calls") : hasOutput),
    };
  }

  #finishReason(word: unknown, state: ChoiceState): string | null {
    if (!isText(word)) return null;
    if (word === "stop") return word;
    const reason = finishReasonOf(word, this.#finishReasons);
    if (reason === "interrupted") this.isInterrupted = true;
    return reason === "stop" ? defaultFinishReason(state) : reason;
  }

  #normalizeDelta(sent: JsonObject, state: ChoiceState): JsonObject {
    const pieces = sent["tool_calls"];
    const whole = withTextContent(sent);
    const { tool_calls: _, ...others } = whole;
    let delta = pieces == null || Array.isArray(pieces) ? whole : others;
    if (Array.isArray(pieces)) {
      state.toolCalls ??= new ToolCallNormalizer();
      const calls = state.toolCalls;
      const known = calls.count;
      delta = { ...whole, tool_calls: calls.normalize(pieces) };
      if (calls.count > known) this.toolCallCount += 1;
    }
    if (isJsonObject(sent["function_call"])) state.functionCalled = true;
    if (state.started) return delta;
    state.started = true;
    return { ...assistant, ...delta, ...assistant };
  }

  #choice(index: number): ChoiceState {
    const known = this.#first?.index === index ? this.#first : this.#others?.get(index);
    if (known !== undefined) return known;
    const state: ChoiceState = {
      index,
      toolCalls: undefined,
      functionCalled: false,
      started: false,
      finished: false,
      finishReason: undefined,
    };
    this.#unfinished += 1;
    if (this.#first === undefined) this.#first = state;
    else {
      this.#others ??= new Map();
      this.#others.set(index, state);
    }
    return state;
  }

  #close(choice: ChoiceState, reason: string): void {
    choice.finished = true;
    choice.finishReason = reason;
    this.#unfinished -= 1;
  }

  #adoptIdentity(frame: JsonObject): void {
    if (this.#hasIdentity) return;
    this.#hasIdentity = true;
    const { id, created } = frame;
    this.#identity = {
      id: isText(id) ? id : this.#identity.id,
      created: isTime(created) ? created : this.#identity.created,
      model: this.#identity.model,
    };
  }
}

/** Clients parse the arguments of every call, also of one that has none. */
function closeCalls(delta: JsonObject, { toolCalls }: ChoiceState): JsonObject {
  const missing = toolCalls?.close() ?? [];
  if (missing.length === 0) return delta;
  const pieces: readonly unknown[] = Array.isArray(delta["tool_calls"]) ? delta["tool_calls"] : [];
  return { ...delta, tool_calls: [...pieces, ...missing] };
}

function defaultFinishReason({ toolCalls, functionCalled }: ChoiceState): string {
  if (toolCalls !== undefined && toolCalls.count > 0) return "tool_calls";
  return functionCalled ? "function_call" : "stop";
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === "" || value === false) return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

/** True for an object that has a member besides these, which is not empty. */
const hasMember = (object: JsonObject, ...besides: readonly string[]): boolean =>
  Object.entries(object).some(([name, value]) => !besides.includes(name) && !isEmpty(value));
