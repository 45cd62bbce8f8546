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

/** A key that must never be found in an error. */
export const canaryKey = "sk-canary-4f9a1c77e2b84d10";

/** Every transport, under its name; closed after the tests of the file that asks for them. */
export function transports(): [name: string, transport: Transport][] {
  const pooled = pooledTransport();
  afterAll(() => pooled.destroy());
  return [
    ["fetchTransport", fetchTransport()],
    ["pooledTransport", pooled],
  ];
}

/** A call of the model "up-model", encoded as the gateway would. */
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
    ...options,
  };
}

/** A provider at an upstream of a test, with the canary as its key. */
export const providerAt = (baseURL: string) => openaiCompatible({ baseURL, apiKey: canaryKey, name: "upstream-a" });

/** What a promise is rejected with. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    (value) => Promise.reject(new Error(`It resolved with ${JSON.stringify(value)}.`)),
    (error: unknown) => error,
  );
}

/** The ProviderError that a promise is rejected with. */
export async function providerErrorOf(promise: Promise<unknown>): Promise<ProviderError> {
  const error = await failureOf(promise);
  if (ProviderError.is(error)) return error;
  throw new Error(`It was rejected with something else: ${String(error)}`, { cause: error });
}

/** Everything of an error that a log could show. */
export function everythingOf(error: unknown): string {
  if (!(error instanceof Error)) return JSON.stringify(error) ?? "";
  const own = JSON.stringify(Object.getOwnPropertyNames(error).map((name) => [name, Reflect.get(error, name)]));
  return `${own} ${error.stack} ${everythingOf(error.cause)}`;
}

/** The bytes of a streamed answer. */
export async function streamOf(answer: Promise<ProviderStream>): Promise<ByteStream> {
  const stream = await answer;
  if (stream.kind === "bytes") return stream.bytes;
  throw new Error("The provider gave chunks.");
}

/** All bytes of a stream as text. */
export const textOf = async (stream: ByteStream): Promise<string> =>
  new TextDecoder().decode(await collect(stream, 1_000_000));
