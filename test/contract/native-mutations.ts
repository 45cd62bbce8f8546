import { openaiCompatible } from "@tollgate/core";
import {
  type ByteStream,
  type NativeCall,
  type NativeMethod,
  ProviderError,
  type TransportRequest,
} from "@tollgate/core/provider";

/** Replaces each ProviderError of a method. */
export const nativeRethrowing =
  (sound: NativeMethod, change: (error: ProviderError) => unknown): NativeMethod =>
  async (call) => {
    try {
      return await sound(call);
    } catch (cause) {
      throw ProviderError.is(cause) ? change(cause) : cause;
    }
  };

/** Retries after each failure. */
export const nativeRepeating =
  (sound: NativeMethod): NativeMethod =>
  (call) =>
    sound(call).catch(() => sound(call));

/** Changes the HTTP request that the method sends. */
export const nativeSending =
  (sound: NativeMethod, change: (request: TransportRequest, call: NativeCall) => TransportRequest): NativeMethod =>
  (call) =>
    sound({ ...call, transport: (request) => call.transport(change(request, call)) });

/** Changes the JSON of answers. */
export const changingJson =
  (sound: NativeMethod, change: (text: string) => string): NativeMethod =>
  async (call) => {
    const answer = await sound(call);
    return answer.kind === "json"
      ? { ...answer, body: Buffer.from(change(Buffer.from(answer.body).toString())) }
      : answer;
  };

/** Changes the bytes of streams. */
export const changingStream =
  (sound: NativeMethod, change: (bytes: ByteStream) => ByteStream | Promise<ByteStream>): NativeMethod =>
  async (call) => {
    const answer = await sound(call);
    return answer.kind === "stream" ? { ...answer, bytes: await change(answer.bytes) } : answer;
  };

/** Rejects when the signal aborts, but does not cancel the request. */
export const leavingOpen =
  (sound: NativeMethod): NativeMethod =>
  (call) => {
    const { signal } = new AbortController();
    const aborted = new Promise<never>((_, reject) =>
      call.signal.addEventListener("abort", () => reject(call.signal.reason)),
    );
    return Promise.race([aborted, sound({ ...call, signal, cancellation: signal })]);
  };

/** Ignores an abort after the head of the response. */
export const ignoringLateAborts = (sound: NativeMethod): NativeMethod =>
  nativeSendingThrough(sound, async (request, call) => {
    const controller = new AbortController();
    let hasHead = false;
    call.cancellation.addEventListener("abort", () => hasHead || controller.abort(call.cancellation.reason));
    const response = await call.transport({ ...request, signal: controller.signal });
    hasHead = true;
    return response;
  });

/** Sends no key. */
export const withoutKey =
  (origin: string): NativeMethod =>
  async (call) => {
    const method = openaiCompatible({ baseURL: `${origin}/v1`, dialects: ["responses"] }).dialects?.responses;
    if (method === undefined) throw new Error("The provider must declare the dialect.");
    return method(call);
  };

const nativeSendingThrough =
  (
    sound: NativeMethod,
    send: (request: TransportRequest, call: NativeCall) => ReturnType<NativeCall["transport"]>,
  ): NativeMethod =>
  (call) =>
    sound({ ...call, transport: (request) => send(request, call) });
