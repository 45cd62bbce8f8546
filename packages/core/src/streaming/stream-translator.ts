import { ProviderError } from "../errors/provider-error.ts";
import type { ChatCompletionChunk } from "../wire/chat-completion-chunk.ts";
import { readUsage, type Usage } from "../wire/usage.ts";
import { encodeFrame } from "./frames.ts";
export class StreamTranslator {
  started = false;
  complete = false;
  done = false;
  failure: ProviderError | undefined;
  usage: Usage | undefined;
  outputBytes = 0;
  frames = 0;
  id: string;
  created: number;
  #model: string;
  #rest = "";
  constructor(o: { model: string; id: string; created: number }) {
    this.#model = o.model;
    this.id = o.id;
    this.created = o.created;
  }
  translate(b: Uint8Array): Uint8Array | undefined {
    this.#rest += new TextDecoder().decode(b);
    let out = "";
    for (;;) {
      const i = this.#rest.indexOf("\n\n");
      if (i < 0) break;
      const t = this.#rest.slice(6, i);
      this.#rest = this.#rest.slice(i + 2);
      if (t === "[DONE]") {
        this.done = true;
        this.complete = true;
        break;
      }
      const r = this.translateChunk(JSON.parse(t));
      if (r) out += new TextDecoder().decode(r);
    }
    return out ? new TextEncoder().encode(out) : undefined;
  }
  translateChunk(c: ChatCompletionChunk): Uint8Array | undefined {
    this.frames++;
    this.usage = readUsage(c.usage) ?? this.usage;
    if (c.choices.length === 0) return undefined;
    for (const x of c.choices) {
      if (x.delta.content) {
        this.started = true;
        this.outputBytes += x.delta.content.length;
      }
      if (x.delta.tool_calls) this.started = true;
      if (x.finish_reason) {
        this.started = true;
        this.complete = true;
      }
    }
    return encodeFrame({ ...c, id: this.id, created: this.created, model: this.#model });
  }
  end(): Uint8Array | undefined {
    if (!this.complete) this.failure = new ProviderError("invalid_response", "ended early");
    return undefined;
  }
}
