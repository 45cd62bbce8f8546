import { fetchTransport, openaiCompatible, type Transport } from "@tollgate/core";
import {
  type ByteStream,
  collect,
  type ProviderCall,
  ProviderError,
  type ProviderStream,
} from "@tollgate/core/provider";
import { pooledTransport } from "@tollgate/node";
import { afterAll } from "vitest";

/** A key that must not occur in any error. */
export const canaryKey = "sk-canary-4f9a1c77e2b84d10";

/** Returns every transport with its name, and closes them after the tests of the calling file. */
export function transports(): [name: string, transport: Transport][] {
  const pooled = pooledTransport();
  afterAll(() => pooled.destroy());
  return [
    ["fetchTransport", fetchTransport()],
    ["pooledTransport", pooled],
  ];
}

/** A call of the model "up-model", encoded as by the gateway. */
export function callOver(transport: Transport, options: Partial<ProviderCall> = {}): ProviderCall {
  const signal = options.signal ?? new AbortController().signal;
  const request = { model: "up-model", messages: [{ role: "user" as const, content: "Hello" }] };
  return {
    request,
    encoded: () => new TextEncoder().encode(JSON.stringify(options.request ?? request)),
    signal,
    cancellation: signal,
    transport,
    connectMs: 2_000,
    requestId: "request-1",
    publicModel: "public-model",
    ...options,
  };
}

/** A provider for a test upstream, with the canary as its key. */
export const providerAt = (baseURL: string) => openaiCompatible({ baseURL, apiKey: canaryKey, name: "upstream-a" });

/** Returns the reason with which a promise is rejected. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    (value) => Promise.reject(new Error(`The promise resolved with ${JSON.stringify(value)}.`)),
    (error: unknown) => error,
  );
}

/** Returns the ProviderError with which a promise is rejected. */
export async function providerErrorOf(promise: Promise<unknown>): Promise<ProviderError> {
  const error = await failureOf(promise);
  if (ProviderError.is(error)) return error;
  throw new Error(`The promise was rejected with another error: ${String(error)}`, { cause: error });
}

/** Every property and stack of an error and its causes: what a log could show. */
export function everythingOf(error: unknown): string {
  if (!(error instanceof Error)) return JSON.stringify(error) ?? "";
  const own = JSON.stringify(Object.getOwnPropertyNames(error).map((name) => [name, Reflect.get(error, name)]));
  return `${own} ${error.stack} ${everythingOf(error.cause)}`;
}

/** Returns the byte stream of an answer. */
export async function streamOf(answer: Promise<ProviderStream>): Promise<ByteStream> {
  const stream = await answer;
  if (stream.kind === "bytes") return stream.bytes;
  throw new Error("The provider returned a stream of chunks.");
}

/** Reads a stream as text. */
export const textOf = async (stream: ByteStream): Promise<string> =>
  new TextDecoder().decode(await collect(stream, 1_000_000));
