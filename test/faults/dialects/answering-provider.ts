import { type ByteStream, type NativeCall, type ProviderAdapter, ProviderError } from "@tollgate/core/provider";
import { chunksOf, completionOf, scriptedProvider } from "../../support/scripted-provider.ts";
import { embeddingsAnswer } from "../../upstream/embeddings-form.ts";
import { messagesForm } from "../../upstream/messages-form.ts";
import type { ModelAnswer } from "../../upstream/model-answer.ts";
import { textAnswer } from "../../upstream/model-answer.ts";
import { responsesForm } from "../../upstream/responses-form.ts";
import { type ApiForm, eventText } from "../../upstream/upstream-event.ts";
import { answerText, isWholeConversation, textsOf } from "./conversation.ts";

/** The tokens of every answer. */
export const answerTokens = { input: 10, output: 5 };

const [first, rest] = [answerText.slice(0, 3), answerText.slice(3)];
const answer = textAnswer([first, rest], answerTokens);
const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

/**
 * A provider that answers every call within `delayMs`, natively in each dialect or only by chat completions. It rejects a
 * call whose conversation is not whole. Embeddings are always native.
 */
export function answeringProvider(delayMs: number, isNative: boolean): ProviderAdapter {
  const wait = () => new Promise((resolve) => setTimeout(resolve, delayMs));
  const provider = scriptedProvider({
    complete: async ({ request }) => {
      requireWhole(request.messages);
      await wait();
      return completionOf(answerText, usage);
    },
    async *stream({ request }) {
      requireWhole(request.messages);
      yield { choices: [{ index: 0, delta: { content: first } }] };
      await wait();
      yield* chunksOf([rest], usage);
    },
  });
  const embeddings = async (call: NativeCall) => {
    await wait();
    const vectors = embeddingsAnswer(bodyOf(call), call.model, answerTokens.input);
    return { kind: "json" as const, body: new TextEncoder().encode(JSON.stringify(vectors)) };
  };
  if (!isNative) return Object.assign(provider, { dialects: { embeddings } });
  const by = (form: ApiForm<ModelAnswer>) => async (call: NativeCall) => {
    const { messages, input } = bodyOf(call);
    requireWhole(messages ?? input);
    await wait();
    const id = `resp_${crypto.randomUUID()}`;
    const inOwnName = (json: string) => json.replaceAll("resp_upstream_01", id);
    const events = form.events(answer, call.model).map((event) => inOwnName(eventText(event)));
    if (call.stream) return { kind: "stream" as const, bytes: bytesOf(events, delayMs) };
    const body = new TextEncoder().encode(inOwnName(JSON.stringify(form.whole(answer, call.model))));
    return { kind: "json" as const, body };
  };
  return Object.assign(provider, {
    dialects: { messages: by(messagesForm), responses: by(responsesForm), embeddings },
  });
}

const bodyOf = (call: NativeCall) => JSON.parse(new TextDecoder().decode(call.encoded()));

function requireWhole(messages: unknown): void {
  const texts = textsOf(messages);
  if (isWholeConversation(texts)) return;
  throw new ProviderError("rejected", "The conversation is not whole.", { clientMessage: JSON.stringify(texts) });
}

/** Sends one half of the events at once, and the other one later. */
function bytesOf(events: readonly string[], delayMs: number): ByteStream {
  let canceled = false;
  return {
    async pipeTo(sink) {
      const half = events.length / 2;
      sink.write(new TextEncoder().encode(events.slice(0, half).join("")));
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      if (canceled) return;
      sink.write(new TextEncoder().encode(events.slice(half).join("")));
      sink.close();
    },
    pause: () => undefined,
    resume: () => undefined,
    cancel() {
      canceled = true;
    },
  };
}
