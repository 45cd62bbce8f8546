import { clientGone, draining, outOfTime } from "../../errors/call-errors.ts";
import { Cancellation } from "../../ports/cancellation.ts";
import type { ModelTarget } from "../../ports/model.ts";
import type { NativeCall, NativeMethod } from "../../ports/provider-adapter.ts";
import type { Transport } from "../../ports/transport.ts";
import type { PaidCall } from "../../request/paid-call.ts";
import { wait } from "../../runtime/timers.ts";
import { decodeUtf8 } from "../../wire/bytes.ts";
import { isJsonObject } from "../../wire/json.ts";
import { isTokenCount } from "../../wire/usage.ts";

/** A call whose tokens are counted, which costs nothing. */
export type CountedCall = Pick<PaidCall, "exchange" | "caller" | "slot" | "call" | "model">;

/** A count is not worth a longer wait, since there is an estimate. */
const maxMs = 10_000;

/** Asks a target for the number of input tokens. Rejects if it fails, takes too long, or the request ends. */
export async function countAt(target: ModelTarget, method: NativeMethod, counted: CountedCall, transport: Transport) {
  const call = new CountCall(target, counted, transport);
  const limitMs = Math.min(target.limits.headMs, maxMs);
  const cancelLimit = wait(limitMs, () => call.cancellation.abort(outOfTime("head", limitMs)));
  const leave = () => call.cancellation.abort(clientGone());
  const { signal } = counted.exchange.request;
  signal.addEventListener("abort", leave);
  counted.slot.onAbort(() => call.cancellation.abort(draining()));
  try {
    return await Promise.race([method(call).then(readCount), whenAborted(call.cancellation)]);
  } finally {
    cancelLimit();
    signal.removeEventListener("abort", leave);
  }
}

/** An adapter may ignore the signal. */
const whenAborted = (cancellation: Cancellation): Promise<never> =>
  new Promise((_resolve, reject) => cancellation.addEventListener("abort", () => reject(cancellation.reason)));

function readCount(answer: Awaited<ReturnType<NativeMethod>>): number | undefined {
  if (answer.kind === "stream") {
    answer.bytes.cancel();
    return undefined;
  }
  const counted: unknown = JSON.parse(decodeUtf8(answer.body) ?? "null");
  const tokens = isJsonObject(counted) ? counted["input_tokens"] : undefined;
  return isTokenCount(tokens) ? tokens : undefined;
}

/** A call that counts the tokens of a request without running it. */
class CountCall implements NativeCall {
  readonly model: string;
  readonly stream = false;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly cancellation = new Cancellation();
  readonly connectMs: number;
  readonly requestId: string;
  readonly publicModel: string;
  readonly transport: Transport;
  readonly #target: ModelTarget;
  readonly #counted: CountedCall;

  constructor(target: ModelTarget, counted: CountedCall, transport: Transport) {
    this.model = target.upstreamModel;
    this.headers = counted.call.native?.headers ?? {};
    this.query = counted.call.native?.query ?? {};
    this.connectMs = target.limits.connectMs;
    this.requestId = counted.exchange.requestId;
    this.publicModel = counted.model.id;
    this.transport = transport;
    this.#target = target;
    this.#counted = counted;
  }

  get signal(): AbortSignal {
    return this.cancellation.native;
  }

  encoded(): Uint8Array {
    const { call, model } = this.#counted;
    const { native } = call;
    return native === undefined ? call.original : native.text.changed(native.changes(this.#target, undefined, model));
  }
}
