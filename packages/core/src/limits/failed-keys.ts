import { GatewayError } from "../errors/gateway-error.ts";
import type { Limiter } from "../ports/limiter.ts";
import { askStore } from "../steps/ask-store.ts";
import { isCount } from "./limiter-answers.ts";
import { rateLimitHeaders, retryAfterSeconds } from "./rate-limit-headers.ts";

/** Counts keys that failed by the address of the client, where the host tells it: guessing gets 429 instead of 401. */
export class FailedKeys {
  readonly #limiter: Limiter;
  readonly #limit: number;
  readonly #timeoutMs: number;

  constructor(limiter: Limiter, limitPerMinute: number, timeoutMs: number) {
    this.#limiter = limiter;
    this.#limit = limitPerMinute;
    this.#timeoutMs = timeoutMs;
  }

  /** Throws an error that a key caused, or the 429 once there were too many. An outage of the limiter counts nothing. */
  async refuse(error: unknown, clientAddress: string | undefined): Promise<never> {
    if (clientAddress === undefined || !isKeyError(error)) throw error;
    const window = { limit: this.#limit, windowSeconds: 60 };
    const subject = `address:${networkOf(clientAddress)}`;
    const count = await attempt(() =>
      askStore(this.#timeoutMs, () => this.#limiter.countRequest(subject, window), isCount),
    );
    if (count === undefined || count.granted) throw error;
    const seconds = retryAfterSeconds(count.state);
    throw new GatewayError(
      "rate_limit_exceeded",
      `Too many invalid API keys from your address. Try again in ${seconds} s.`,
      {
        retryAfterSeconds: seconds,
        headers: rateLimitHeaders(count.state),
        metadata: { limit: "requests" },
      },
    );
  }
}

const isKeyError = (error: unknown): boolean =>
  GatewayError.is(error) && (error.code === "invalid_api_key" || error.code === "revoked_api_key");

async function attempt<T>(count: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await count();
  } catch {
    return undefined;
  }
}

/** An IPv4 address as it is, also when it is mapped into IPv6; of an IPv6 address the /64 that one customer has. */
function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped?.[1] !== undefined) return mapped[1];
  return address.includes(":") ? fullGroups(address).slice(0, 4).join(":") : address;
}

/** The eight groups of an IPv6 address, those too that `::` stands for. */
function fullGroups(address: string): string[] {
  const [head = [], tail = []] = address.split("::").map((side) => side.split(":").filter((group) => group !== ""));
  return [...head, ...Array<string>(Math.max(0, 8 - head.length - tail.length)).fill("0"), ...tail];
}
