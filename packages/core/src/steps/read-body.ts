import type { BodyOptions, BodyShare, WaitingBytes } from "../access/limits/body-budget.ts";
import type { Abortable, Slot } from "../access/limits/in-flight.ts";
import { clientGone } from "../errors/call-errors.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import type { BodyLimit } from "../ports/admitted-request.ts";
import type { BodyReceiver, BodySource, ClientRequest } from "../ports/client-request.ts";
import type { Exchange } from "../request/exchange.ts";
import type { SharedTicker, Watched } from "../runtime/shared-ticker.ts";
import { steadyNow } from "../runtime/timers.ts";
import { encodeUtf8 } from "../wire/bytes.ts";

/** The services that read bodies. */
export interface BodyServices {
  readonly maxBodyBytes: number;
  readonly bodies: Required<BodyOptions>;
  readonly ticker: SharedTicker;
}

/** A request whose body may be read, and the part of its slot that counts and aborts it. */
export interface BodyOwner {
  readonly exchange: Pick<Exchange, "request">;
  readonly slot: Pick<Slot, "onAbort"> & { readonly body: BodyShare | undefined };
}

/**
 * Reads the body of a request, and counts its bytes meanwhile. Reading stops at the limit. A body that the host's parser has
 * already parsed counts with the bytes of its JSON, which are kept in memory from then on. Rejects with 413 for one that is
 * too large, 408 for one that is too slow, and 503 if the budget of bodies stays used up.
 */
export function readBody(services: BodyServices, owner: BodyOwner, limit: BodyLimit = services): Promise<Uint8Array> {
  const { request } = owner.exchange;
  refuseEncoded(request);
  const { parsedBody } = request;
  const encoded = parsedBody === undefined ? undefined : withinLimit(encodeParsedBody(parsedBody), limit);
  return new Promise((resolve, reject) => {
    const intake = new BodyIntake(services, owner, limit, resolve, reject);
    owner.slot.onAbort(intake);
    if (encoded === undefined) request.readBody(limit.maxBodyBytes, intake);
    else intake.resolve(encoded);
  });
}

/** Reads a body that counts in no budget, for a mount whose requests have no slot. */
export const readUncountedBody = (
  services: BodyServices,
  request: ClientRequest,
  limit: BodyLimit,
): Promise<Uint8Array> => readBody(services, { exchange: { request }, slot: uncounted }, limit);

const uncounted = { body: undefined, onAbort: () => undefined };

function refuseEncoded(request: ClientRequest): void {
  const encoding = request.header("content-encoding");
  if (encoding === undefined || encoding === "" || encoding.toLowerCase() === "identity") return;
  throw new GatewayError(
    "unsupported_value",
    "A compressed request body is not accepted. Send it without Content-Encoding.",
    { param: "content-encoding" },
  );
}

function encodeParsedBody(body: unknown): Uint8Array {
  if (body instanceof Uint8Array) return body;
  return encodeUtf8(typeof body === "string" ? body : stringify(body));
}

function stringify(body: unknown): string {
  try {
    return JSON.stringify(body);
  } catch (cause) {
    throw new GatewayError("invalid_json", "The request body is nested too deeply. Send a flatter one.", { cause });
  }
}

function withinLimit(body: Uint8Array, limit: BodyLimit): Uint8Array {
  if (body.length > limit.maxBodyBytes) throw tooLarge(limit);
  return body;
}

const defaultAdvice = "Send a shorter history or smaller images.";

const tooLarge = ({ maxBodyBytes, advice = defaultAdvice }: BodyLimit): GatewayError =>
  new GatewayError("payload_too_large", `The request body is larger than ${maxBodyBytes} bytes. ${advice}`, {
    metadata: { limit_bytes: maxBodyBytes },
  });

/**
 * Receives the body of one request. Counts its bytes against the shared budget, pauses the source while the budget is
 * used up, and rejects a body that waits or stalls for too long. The shared ticker checks the times of bodies that
 * arrive in pieces or wait; a body that arrives at once needs no timer.
 */
class BodyIntake implements BodyReceiver, Watched, Abortable {
  position = -1;
  readonly #services: BodyServices;
  readonly #owner: BodyOwner;
  readonly #limit: BodyLimit;
  readonly #complete: (body: Uint8Array) => void;
  readonly #refuse: (error: GatewayError) => void;
  #source: BodySource | undefined;
  #isOver = false;
  #received = 0;
  /** When the body began, plus the time that it waited for the budget. */
  #beganAt = 0;
  /** The bytes received at the last check, and the time since which that number has not changed. */
  #seen = 0;
  #seenAt = 0;
  #waiting: WaitingBytes | undefined;
  #waitingSince = 0;
  #waitedMs = 0;
  #body: Uint8Array | undefined;

  /** Calls `complete` once the body has been read to its end and counted, or else `refuse`. */
  constructor(
    services: BodyServices,
    owner: BodyOwner,
    limit: BodyLimit,
    complete: (body: Uint8Array) => void,
    refuse: (error: GatewayError) => void,
  ) {
    this.#services = services;
    this.#owner = owner;
    this.#limit = limit;
    this.#complete = complete;
    this.#refuse = refuse;
  }

  open(source: BodySource): void {
    this.#source = source;
    this.#beganAt = steadyNow();
    this.#seenAt = this.#beganAt;
    this.#services.ticker.add(this);
  }

  take(bytes: number): boolean {
    if (this.#isOver) return false;
    this.#received += bytes;
    return this.#count(bytes);
  }

  resolve(body: Uint8Array | undefined): void {
    if (body === undefined) this.abort(tooLarge(this.#limit));
    else this.#receive(body);
  }

  reject(cause: unknown): void {
    this.abort(this.#owner.exchange.request.signal.aborted ? clientGone() : bodyError(cause));
  }

  /** Stops reading and refuses the body. Does nothing once the body is complete. */
  abort(error: GatewayError): void {
    if (this.#isOver) return;
    this.#end();
    this.#source?.stop();
    this.#refuse(error);
  }

  tick(now: number): void {
    if (this.#waiting !== undefined) this.#checkWaiting(now);
    else this.#checkProgress(now);
  }

  #receive(body: Uint8Array): void {
    if (this.#isOver) return;
    const uncounted = body.length - this.#received;
    this.#received = body.length;
    const hasCapacity = this.#waiting === undefined && (uncounted <= 0 || this.#count(uncounted));
    if (hasCapacity) this.#finish(body);
    else this.#body = body;
  }

  #count(bytes: number): boolean {
    const share = this.#owner.slot.body;
    if (share === undefined || share.take(bytes)) return true;
    this.#waiting = { share, bytes, granted: () => this.#continue() };
    this.#waitingSince = steadyNow();
    share.budget.enqueue(this.#waiting);
    if (this.#source === undefined && this.position === -1) this.#services.ticker.add(this);
    return false;
  }

  #continue(): void {
    const now = steadyNow();
    const waitedMs = now - this.#waitingSince;
    this.#waiting = undefined;
    this.#waitedMs += waitedMs;
    this.#beganAt += waitedMs;
    this.#seenAt = now;
    if (this.#body === undefined) this.#source?.resume();
    else this.#finish(this.#body);
  }

  #checkWaiting(now: number): void {
    // A paused source does not notice that its client has left.
    if (this.#owner.exchange.request.signal.aborted) this.abort(clientGone());
    else if (this.#waitedMs + now - this.#waitingSince >= this.#services.bodies.waitMs) this.abort(noMemory());
  }

  #checkProgress(now: number): void {
    const { stalledMs, slowAfterMs, minBytesPerSecond } = this.#services.bodies;
    if (this.#received !== this.#seen) {
      this.#seen = this.#received;
      this.#seenAt = now;
    }
    const runningMs = now - this.#beganAt;
    const isSlow = runningMs >= slowAfterMs && this.#received < (minBytesPerSecond * runningMs) / 1000;
    if (isSlow || now - this.#seenAt >= stalledMs) this.abort(tooSlow());
  }

  #finish(body: Uint8Array): void {
    this.#end();
    this.#complete(body);
  }

  #end(): void {
    this.#isOver = true;
    if (this.position !== -1) this.#services.ticker.delete(this);
    if (this.#waiting !== undefined) this.#waiting.share.budget.dequeue(this.#waiting);
    this.#waiting = undefined;
    this.#body = undefined;
  }
}

/** The 503 for bytes of a request that waited too long for the budget. */
export const noMemory = (): GatewayError =>
  new GatewayError(
    "over_capacity",
    "The server has no memory left for request bodies. Try again in a moment, or send fewer or smaller requests at once.",
    { retryAfterSeconds: 1 },
  );

const tooSlow = (): GatewayError =>
  new GatewayError(
    "request_timeout",
    "The request body arrived too slowly or stopped arriving. Send the request again on a new connection, or send a smaller one.",
  );

/** Returns a GatewayError unchanged: it comes from the host's parser, which refused the body. */
const bodyError = (cause: unknown): GatewayError =>
  GatewayError.is(cause)
    ? cause
    : new GatewayError("invalid_request", "The request body ended before it was complete. Send the request again.", {
        cause,
      });
