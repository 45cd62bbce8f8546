import { isPlainObject, readArguments, signatureOf, tryParseLosslessJson } from "@tollgate/core/internal";
import { type ChatMessage, type JsonObject, resultsAfterCalls, type ToolCall } from "@tollgate/core/provider";
import { textParts, userParts } from "./content-parts.ts";
import type { FunctionResponsePart, GeminiContent, GeminiRequest, TextPart } from "./gemini-request.ts";
import { needsSignatures } from "./model-generation.ts";
import { refused } from "./refused.ts";

/**
 * Maps messages for a model. System and developer messages become the system instruction, in order; consecutive messages of
 * the assistant become one turn, and so do the results of parallel tool calls, in the order of the calls, apart from what the
 * user says next. Messages without content are left out.
 */
export function mapMessages(
  messages: readonly ChatMessage[],
  model: string,
): Pick<GeminiRequest, "contents" | "systemInstruction"> {
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

class History {
  readonly contents: { readonly role: GeminiContent["role"]; readonly parts: GeminiContent["parts"][number][] }[] = [];
  readonly system: TextPart[] = [];
  readonly #model: string;
  readonly #calls = new Map<string, { readonly name: string; readonly order: number }>();
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

/**
 * Maps the tool calls of an assistant message. Google signs only the first of parallel calls. If none has a signature,
 * the first call gets a placeholder for the models that would reject it without one.
 */
function callParts(calls: readonly ToolCall[], model: string, param: string): GeminiContent["parts"] {
  const unsigned = needsSignatures(model) && calls.every((call) => signatureOf(call) === undefined);
  return calls.map((call, index) => {
    const signature = signatureOf(call) ?? (unsigned && index === 0 ? placeholderSignature : undefined);
    const args = readArguments(call.function.arguments);
    if (args === undefined)
      throw refused(
        `${param}.${index}.function.arguments`,
        "The arguments of a tool call must be a JSON object. Send them as the model returned them.",
      );
    return {
      functionCall: { id: call.id, name: call.function.name, args },
      ...(signature === undefined ? {} : { thoughtSignature: signature }),
    };
  });
}

/** The value that Google accepts for a call without a signature, such as one that another model made. */
const placeholderSignature = "skip_thought_signature_validator";

function responsePart(message: ChatMessage, name: string, param: string): FunctionResponsePart {
  const text = textParts(message.content, `${param}.content`)
    .map((part) => part.text)
    .join("");
  return { functionResponse: { id: message.tool_call_id ?? "", name, response: readResult(text) } };
}

/** The API expects an object. A result with long numbers stays text, since the API reads an object's numbers as doubles. */
function readResult(text: string): JsonObject {
  const value = /^\s*\{/.test(text) && !/\d{16}/.test(text) ? tryParseLosslessJson(text) : undefined;
  return isPlainObject(value) ? value : { output: text };
}
