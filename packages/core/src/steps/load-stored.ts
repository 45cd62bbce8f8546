import type { BodyShare, WaitingBytes } from "../access/limits/body-budget.ts";
import type { Abortable } from "../access/limits/in-flight.ts";
import { clientGone } from "../errors/call-errors.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import type { LargerContent } from "../ports/admitted-request.ts";
import { callStoreWithTimeout } from "../ports/call-store-with-timeout.ts";
import type { ClientRequest } from "../ports/client-request.ts";
import type { Services } from "../request/services.ts";
import type { Awaitable } from "../runtime/awaitable.ts";
import type { Watched } from "../runtime/shared-ticker.ts";
import { takeTurns } from "../runtime/take-turns.ts";
import { steadyNow } from "../runtime/timers.ts";
import { type BodyOwner, type BodyServices, noMemory } from "./read-body.ts";

/** Stored content of this many bytes is loaded by one call of its store. The size of more is asked for first. */
const firstBytes = 32_768;

/**
 * Loads stored content of a request after its bytes were counted like those of a body, in the same budget. `load` gets the
 * number of bytes that are counted, and `isValid` checks what it returns. Waits while the budget is used up, and then rejects
 * with 503. Rejects with 413 if the content could never fit.
 */
export async function loadStored<Result extends { readonly outcome: string }>(
  services: BodyServices & Pick<Services, "storeTimeoutMs">,
  owner: BodyOwner,
  load: (loadBytes: number) => Awaitable<Result | LargerContent>,
  isValid: (result: Result) => boolean,
): Promise<Result> {
  let counted = firstBytes;
  await countBytes(services, owner, counted);
  for (;;) {
    const loadBytes = counted;
    const result = await callStoreWithTimeout(
      services.storeTimeoutMs,
      () => load(loadBytes),
      (loaded) => (isLarger(loaded) ? loaded.bytes > loadBytes : isValid(loaded)),
    );
    if (!isLarger(result)) return result;
    // Nothing was loaded. Requests that wait for more must not keep the bytes that one of them needs.
    owner.slot.body?.release(counted);
    counted = result.bytes;
    await countBytes(services, owner, counted);
    // In its own turn of the event loop, since one release of bytes can let many requests go on.
    await takeTurns(afterOthers());
  }
}

function* afterOthers(): Generator<undefined, void> {
  yield;
}

const isLarger = <Result extends { readonly outcome: string }>(
  result: Result | LargerContent,
): result is LargerContent => result?.outcome === "larger";

/**
 * Counts further bytes of a request in the budget of bodies. Waits while it is used up, and then rejects with 503; throws
 * 413 if they could never fit.
 */
export async function countBytes(services: BodyServices, { exchange, slot }: BodyOwner, bytes: number): Promise<void> {
  const share = slot.body;
  if (share === undefined || share.take(bytes)) return;
  if (!share.canEverTake(bytes)) throw tooMuch();
  const { request } = exchange;
  await new Promise<void>((resolve, reject) => {
    slot.onAbort(new StoredBytes(services, { request, share, bytes }, { resolve, reject }));
  });
}

const tooMuch = (): GatewayError =>
  new GatewayError(
    "payload_too_large",
    "The request and the stored content that it continues need more memory than one key may use. Begin a new conversation with less content.",
  );

interface Outcome {
  resolve(): void;
  reject(error: GatewayError): void;
}

/** Bytes of stored content that wait until the budget has room for them. */
class StoredBytes implements WaitingBytes, Watched, Abortable {
  position = -1;
  readonly share: BodyShare;
  readonly bytes: number;
  readonly #services: BodyServices;
  readonly #request: ClientRequest;
  readonly #outcome: Outcome;
  readonly #since = steadyNow();

  constructor(
    services: BodyServices,
    { request, share, bytes }: { request: ClientRequest; share: BodyShare; bytes: number },
    outcome: Outcome,
  ) {
    this.share = share;
    this.bytes = bytes;
    this.#services = services;
    this.#request = request;
    this.#outcome = outcome;
    share.budget.enqueue(this);
    services.ticker.add(this);
  }

  granted(): void {
    this.#end();
    this.#outcome.resolve();
  }

  /** Stops waiting. Does nothing once the bytes are counted. */
  abort(error: GatewayError): void {
    if (this.position === -1) return;
    this.#end();
    this.#outcome.reject(error);
  }

  tick(now: number): void {
    if (this.#request.signal.aborted) this.abort(clientGone());
    else if (now - this.#since >= this.#services.bodies.waitMs) this.abort(noMemory());
  }

  #end(): void {
    this.share.budget.dequeue(this);
    this.#services.ticker.delete(this);
  }
}
