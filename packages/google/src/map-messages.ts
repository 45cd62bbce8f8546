import { type ChatMessage, resultsAfterCalls } from "@tollgate/core/provider";
import { callParts, responsePart } from "./call-parts.ts";
import { textParts, userParts } from "./content-parts.ts";
import type { FunctionResponsePart, GeminiContent, GeminiRequest, TextPart } from "./gemini-request.ts";
import { refused } from "./refused.ts";
import { signatureOf } from "./thought-signature.ts";

/** The members of a request that the messages are mapped to. */
export type Prompt = Pick<GeminiRequest, "contents" | "systemInstruction">;

/**
 * Maps messages for a model. System and developer messages become the system instruction, in order; consecutive messages of
 * the assistant become one turn, and so do the results of parallel tool calls, in the order of the calls, apart from what the
 * user says next. Messages without content are left out.
 */
export function mapMessages(messages: readonly ChatMessage[], model: string): Prompt {
  const history = new History(model);
  const places = new Map(messages.map((message, index) => [message, index]));
  for (const message of resultsAfterCalls(messages)) history.add(message, `messages.${places.get(message)}`);
  history.endResults();
  const { contents, system } = history;
  if (contents.length === 0) {
    throw refused("messages", "This model requires a message with the role `user` that is not empty. Add one.");
  }
  return { contents, ...(system.length === 0 ? {} : { systemInstruction: { parts: system } }) };
}

interface Turn {
  readonly role: GeminiContent["role"];
  readonly parts: GeminiContent["parts"][number][];
}

interface KnownCall {
  readonly name: string;
  readonly order: number;
}

class History {
  readonly contents: Turn[] = [];
  readonly system: TextPart[] = [];
  readonly #model: string;
  readonly #calls = new Map<string, KnownCall>();
  #results: FunctionResponsePart[] = [];
  #order = 0;

  constructor(model: string) {
    this.#model = model;
  }

  add(message: ChatMessage, param: string): void {
    const content = `${param}.content`;
    if (message.role === "tool") this.#addResult(message, param);
    else if (message.role === "assistant") this.#addAnswer(message, param);
    else if (message.role === "user") this.#push("user", userParts(message.content, content));
    // Not `push(...parts)`: a client may send more parts than a function call can have arguments.
    else for (const part of textParts(message.content, content)) this.system.push(part);
  }

  #addAnswer(message: ChatMessage, param: string): void {
    const calls = message.tool_calls ?? [];
    const text = sign(textParts(message.content, `${param}.content`), signatureOf(message));
    this.#push("model", [...text, ...callParts(calls, this.#model, `${param}.tool_calls`)]);
    for (const { id, function: called } of calls) {
      this.#order += 1;
      this.#calls.set(id, { name: called.name, order: this.#order });
    }
  }

  #addResult(message: ChatMessage, param: string): void {
    const call = this.#calls.get(message.tool_call_id ?? "");
    if (call === undefined) {
      throw refused(
        `${param}.tool_call_id`,
        "A tool message must reference a tool call of an earlier assistant message. Send that message too.",
      );
    }
    if (this.#results.length === 0) this.contents.push({ role: "user", parts: this.#results });
    this.#results.push(responsePart(message, call.name, param));
  }

  /** Sorts the results of one turn by their calls. Called once per turn, since a client may send very many results. */
  endResults(): void {
    this.#results.sort((a, b) => this.#orderOf(a) - this.#orderOf(b));
    this.#results = [];
  }

  #orderOf({ functionResponse: { id } }: FunctionResponsePart): number {
    return this.#calls.get(id)?.order ?? 0;
  }

  #push(role: GeminiContent["role"], parts: GeminiContent["parts"]): void {
    if (parts.length === 0) return;
    this.endResults();
    const last = this.contents.at(-1);
    if (role === "model" && last?.role === role) for (const part of parts) last.parts.push(part);
    else this.contents.push({ role, parts: [...parts] });
  }
}

/** Adds the signature to the last text part, which may be empty, as Google does. */
function sign(parts: readonly TextPart[], signature: string | undefined): readonly TextPart[] {
  if (signature === undefined) return parts;
  return [...parts.slice(0, -1), { text: parts.at(-1)?.text ?? "", thoughtSignature: signature }];
}
