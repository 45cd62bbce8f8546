import type { ByteStream, NativeCall, ProviderAdapter } from "@tollgate/core/provider";
import { chunksOf, completionOf, scriptedProvider } from "../../support/scripted-provider.ts";
import { messagesForm } from "../../upstream/messages-form.ts";
import type { ModelAnswer } from "../../upstream/model-answer.ts";
import { textAnswer } from "../../upstream/model-answer.ts";
import { responsesForm } from "../../upstream/responses-form.ts";
import { type ApiForm, eventText } from "../../upstream/upstream-event.ts";

/** The tokens of every answer. */
export const answerTokens = { input: 10, output: 5 };

const answer = textAnswer(["Hel", "lo"], answerTokens);
const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

/** A provider that answers every call within `delayMs`, natively in each dialect or only by chat completions. */
export function answeringProvider(delayMs: number, isNative: boolean): ProviderAdapter {
  const wait = () => new Promise((resolve) => setTimeout(resolve, delayMs));
  const provider = scriptedProvider({
    complete: async () => {
      await wait();
      return completionOf("Hello", usage);
    },
    async *stream() {
      yield { choices: [{ index: 0, delta: { content: "Hel" } }] };
      await wait();
      yield* chunksOf(["lo"], usage);
    },
  });
  if (!isNative) return provider;
  const by = (form: ApiForm<ModelAnswer>) => async (call: NativeCall) => {
    await wait();
    const events = form.events(answer, call.model).map(eventText);
    if (call.stream) return { kind: "stream" as const, bytes: bytesOf(events, delayMs) };
    return { kind: "json" as const, body: new TextEncoder().encode(JSON.stringify(form.whole(answer, call.model))) };
  };
  return Object.assign(provider, { dialects: { messages: by(messagesForm), responses: by(responsesForm) } });
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
