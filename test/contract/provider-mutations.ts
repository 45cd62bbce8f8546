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

/** Wraps both methods of a provider with one function. */
export function around(
  sound: ProviderAdapter,
  wrap: <Result>(call: ProviderCall, next: (call: ProviderCall) => Promise<Result>) => Promise<Result>,
): Partial<ProviderAdapter> {
  return {
    complete: (call) => wrap(call, (changed) => sound.complete(changed)),
    stream: (call) => wrap(call, (changed) => sound.stream(changed)),
  };
}

/** Replaces each ProviderError. */
export function rethrowing(
  sound: ProviderAdapter,
  change: (error: ProviderError, call: ProviderCall) => unknown,
): Partial<ProviderAdapter> {
  return around(sound, async (call, next) => {
    try {
      return await next(call);
    } catch (cause) {
      throw ProviderError.is(cause) ? change(cause, call) : cause;
    }
  });
}

/** Retries after a failure of the given kinds. */
export function repeating(sound: ProviderAdapter, kinds: readonly string[]): Partial<ProviderAdapter> {
  return around(sound, async (call, next) => {
    try {
      return await next(call);
    } catch (cause) {
      if (ProviderError.is(cause) && kinds.includes(cause.failure)) return next(call);
      throw cause;
    }
  });
}

/** Changes the members of the request. */
export function sending(sound: ProviderAdapter, change: (request: object) => object): Partial<ProviderAdapter> {
  return around(sound, (call, next) =>
    next({ ...call, encoded: () => new TextEncoder().encode(JSON.stringify(change(call.request))) }),
  );
}

/** Changes complete answers. */
export function answering(
  sound: ProviderAdapter,
  change: (completion: ChatCompletion) => ChatCompletion,
): Partial<ProviderAdapter> {
  return { complete: async (call) => change(completionOf(await sound.complete(call))) };
}

/** Changes the bytes of streams. */
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

/** Wraps the sink of a byte stream. */
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

/** Reads all bytes before it returns a stream of them. */
export async function readWhole(bytes: ByteStream): Promise<ByteStream> {
  const { body } = new Response(Buffer.from(await collect(bytes, 1_000_000)));
  if (body === null) throw new Error("The response must have a body.");
  return fromReadableStream(body);
}

/** Rejects when the signal aborts, but does not cancel the request. */
export function withoutCancellation(sound: ProviderAdapter): Partial<ProviderAdapter> {
  return around(sound, (call, next) => {
    call.signal.throwIfAborted();
    const { signal } = new AbortController();
    const aborted = new Promise<never>((_, reject) =>
      call.signal.addEventListener("abort", () => reject(call.signal.reason)),
    );
    return Promise.race([aborted, next({ ...call, signal, cancellation: signal })]);
  });
}

/** Sends the key as a parameter of the URL. */
export function withKeyInQuery(origin: string, apiKey: string): ProviderAdapter {
  const sound = openaiCompatible({ baseURL: `${origin}/v1` });
  const mutation = around(sound, (call, next) =>
    next({ ...call, transport: (request) => call.transport({ ...request, url: `${request.url}?key=${apiKey}` }) }),
  );
  return Object.assign(Object.create(sound), { name: sound.name, capabilities: sound.capabilities, ...mutation });
}

/** A transport that follows redirects. */
export const followingTransport = fetchTransport((url, init) => fetch(url, { ...init, redirect: "follow" }));

/** A transport that fails for responses of a content type. */
export const refusing =
  (contentType: string, { transport }: ProviderCall): Transport =>
  async (request) => {
    const response = await transport(request);
    if (response.header("content-type") !== contentType) return response;
    response.body.cancel();
    throw new ProviderError("invalid_response", "The answer is of the wrong type. Try again.");
  };
