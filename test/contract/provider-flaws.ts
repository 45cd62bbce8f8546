import { fetchTransport, openaiCompatible, type Transport } from "@tollgate/core";
import {
  type ByteSink,
  type ByteStream,
  type ChatCompletion,
  collect,
  completionOf,
  fromReadableStream,
  type ProviderAdapter,
  type ProviderCall,
  ProviderError,
  type ProviderStream,
} from "@tollgate/core/provider";

/** Both ways to ask, each through one function. */
export function around(
  sound: ProviderAdapter,
  ask: <Answer>(call: ProviderCall, go: (call: ProviderCall) => Promise<Answer>) => Promise<Answer>,
): Partial<ProviderAdapter> {
  return {
    complete: (call) => ask(call, (changed) => sound.complete(changed)),
    stream: (call) => ask(call, (changed) => sound.stream(changed)),
  };
}

/** Throws something else in place of a ProviderError. */
export function rethrowing(
  sound: ProviderAdapter,
  change: (error: ProviderError, call: ProviderCall) => unknown,
): Partial<ProviderAdapter> {
  return around(sound, async (call, go) => {
    try {
      return await go(call);
    } catch (cause) {
      throw ProviderError.is(cause) ? change(cause, call) : cause;
    }
  });
}

/** Asks again after a failure of the given kinds. */
export function repeating(sound: ProviderAdapter, kinds: readonly string[]): Partial<ProviderAdapter> {
  return around(sound, async (call, go) => {
    try {
      return await go(call);
    } catch (cause) {
      if (ProviderError.is(cause) && kinds.includes(cause.failure)) return go(call);
      throw cause;
    }
  });
}

/** Sends the request with other members than it was asked to. */
export function sending(sound: ProviderAdapter, change: (request: object) => object): Partial<ProviderAdapter> {
  return around(sound, (call, go) =>
    go({ ...call, encoded: () => new TextEncoder().encode(JSON.stringify(change(call.request))) }),
  );
}

/** Answers in one piece with a change. */
export function answering(
  sound: ProviderAdapter,
  change: (completion: ChatCompletion) => ChatCompletion,
): Partial<ProviderAdapter> {
  return { complete: async (call) => change(completionOf(await sound.complete(call))) };
}

/** Answers streams with other bytes. */
export function streaming(
  sound: ProviderAdapter,
  change: (bytes: ByteStream) => ByteStream | Promise<ByteStream>,
): Partial<ProviderAdapter> {
  return {
    async stream(call): Promise<ProviderStream> {
      const stream = await sound.stream(call);
      return stream.kind === "chunks" ? stream : { kind: "bytes", bytes: await change(stream.bytes) };
    },
  };
}

/** The bytes with what is written, and how they end, changed on the way. */
export const through = (bytes: ByteStream, change: (sink: ByteSink) => Partial<ByteSink>): ByteStream => ({
  pipeTo: (sink) =>
    bytes.pipeTo({
      write: (chunk) => sink.write(chunk),
      close: () => sink.close(),
      fail: (cause) => sink.fail(cause),
      ...change(sink),
    }),
  pause: () => bytes.pause(),
  resume: () => bytes.resume(),
  cancel: () => bytes.cancel(),
});

/** The bytes read to their end before the first is given. */
export async function readWhole(bytes: ByteStream): Promise<ByteStream> {
  const { body } = new Response(Buffer.from(await collect(bytes, 1_000_000)));
  if (body === null) throw new Error("A response of bytes has a body.");
  return fromReadableStream(body);
}

/** Rejects when the signal aborts, but lets the request run on. */
export function letsRunOn(sound: ProviderAdapter): Partial<ProviderAdapter> {
  return around(sound, (call, go) => {
    call.signal.throwIfAborted();
    const { signal } = new AbortController();
    const aborted = new Promise<never>((_, reject) =>
      call.signal.addEventListener("abort", () => reject(call.signal.reason)),
    );
    return Promise.race([aborted, go({ ...call, signal, cancellation: signal })]);
  });
}

/** The key as a parameter of the URL. */
export function withKeyInQuery(origin: string, apiKey: string): ProviderAdapter {
  const sound = openaiCompatible({ baseURL: `${origin}/v1` });
  const flaw = around(sound, (call, go) =>
    go({ ...call, transport: (request) => call.transport({ ...request, url: `${request.url}?key=${apiKey}` }) }),
  );
  return Object.assign(Object.create(sound), { name: sound.name, capabilities: sound.capabilities, ...flaw });
}

/** Follows redirects to wherever they lead. */
export const followingTransport = fetchTransport((url, init) => fetch(url, { ...init, redirect: "follow" }));

/** The call's transport, which fails for answers of a content type. */
export const refusing =
  (contentType: string, { transport }: ProviderCall): Transport =>
  async (request) => {
    const response = await transport(request);
    if (response.header("content-type") !== contentType) return response;
    response.body.cancel();
    throw new ProviderError("invalid_response", "The answer is of the wrong type. Try again.");
  };
