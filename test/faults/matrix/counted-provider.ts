import { ProviderError } from "@tollgate/core/provider";
import { chunksOf, completionOf, type ScriptedProvider } from "../../support/scripted-provider.ts";

/** The tasks of the provider, which a request sends as its message. */
export type Task = "answer" | "answer slowly" | "fail" | "wait for early" | "wait for late" | "go on";

/** The tokens that the host counts for every text that no provider counted. */
export const countedTokens = 7;

const priceOf = (prompt: number, output: number): bigint => BigInt(prompt) * 1_000n + BigInt(output) * 2_000n;

/** Scripts a provider, and sums up the expected charges. */
export class CountedProvider {
  /** The expected charges, in nano-units. */
  owed = 0n;
  /** Releases the streams that wait. */
  readonly release: Readonly<Record<"early" | "late", () => void>>;

  constructor(provider: ScriptedProvider) {
    const early = gate();
    const late = gate();
    this.release = { early: early.open, late: late.open };
    provider.script = {
      complete: async ({ request }) => {
        const task = request.messages[0]?.content;
        if (task === "fail") throw new ProviderError("failed", "It cannot.");
        if (task === "answer slowly") await new Promise((resolve) => setTimeout(resolve, 30));
        this.owed += priceOf(10, 5);
        return completionOf("Hi");
      },
      stream: (call) => this.#stream(call.request.messages[0]?.content, call.signal, early.opened, late.opened),
    };
  }

  async *#stream(task: unknown, signal: AbortSignal, early: Promise<void>, late: Promise<void>) {
    yield { choices: [{ index: 0, delta: { content: "Hi" } }] };
    if (task === "go on") {
      this.owed += priceOf(countedTokens, countedTokens);
      await new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    }
    if (task === "wait for early") await early;
    if (task === "wait for late") await late;
    this.owed += priceOf(10, 20);
    yield* chunksOf([], { prompt_tokens: 10, completion_tokens: 20, total_tokens: 30 });
  }
}

function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
