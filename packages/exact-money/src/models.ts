/** The API of a model's provider, and the API in which a client calls a gateway. */
export type Api = "chat" | "messages" | "responses" | "embeddings";

/** Prices in nano-units (10^-9 of the currency) per token. */
export interface TokenRates {
  readonly input: bigint;
  readonly output: bigint;
  /** Prompt tokens that were read from a cache. Absent: as `input`. */
  readonly cached?: bigint;
  /** Prompt tokens that were written to a cache. Absent: as `input`. */
  readonly cacheWrite?: bigint;
}

/** The price list of a model. */
export interface ModelPrices extends TokenRates {
  /** Nano-units for each answered request. Absent: none. */
  readonly request?: bigint;
  /** The rates of the whole request when its prompt has more tokens than that. */
  readonly tier?: TokenRates & { readonly aboveInput: number };
}

/** A model that the gateway under test serves for the suite. */
export interface SuiteModel {
  /** The public name, which clients send. */
  readonly id: string;
  /** The API that the provider speaks for it. */
  readonly api: Api;
  /** The name that the provider knows. */
  readonly upstreamModel: string;
  readonly contextWindow: number;
  readonly maxOutput: number;
  readonly prices: ModelPrices;
  /** True: it reasons, and its frames do not show how much. */
  readonly hidesReasoning?: boolean;
}

/** What a provider says that a request consumed. `cached` and `cacheWrite` are parts of `input`, `reasoning` of `output`. */
export interface Tokens {
  readonly input: number;
  readonly output: number;
  readonly cached?: number;
  readonly cacheWrite?: number;
  readonly reasoning?: number;
}

/** The context window, and the most output tokens of one choice, of every model that answers with text. */
export const basic = { contextWindow: 128_000, maxOutput: 4_000 } as const;
const rates: TokenRates = { input: 10_000n, output: 40_000n };

/** The models of the suite. Every price is a whole number of nano-units a token, so that no charge needs rounding. */
export const models = {
  chat: { id: "exact-chat", api: "chat", upstreamModel: "up-chat", ...basic, prices: rates },
  cheap: { id: "exact-cheap", api: "chat", upstreamModel: "up-cheap", ...basic, prices: { input: 2n, output: 6n } },
  cached: {
    id: "exact-cached",
    api: "chat",
    upstreamModel: "up-cached",
    ...basic,
    prices: { ...rates, cached: 2_000n, cacheWrite: 12_000n },
  },
  tiered: {
    id: "exact-tiered",
    api: "chat",
    upstreamModel: "up-tiered",
    ...basic,
    prices: {
      ...rates,
      cached: 2_000n,
      tier: { aboveInput: 1_000, input: 20_000n, output: 60_000n, cached: 4_000n },
    },
  },
  perRequest: {
    id: "exact-per-request",
    api: "chat",
    upstreamModel: "up-per-request",
    ...basic,
    prices: { ...rates, request: 5_000_000n },
  },
  thinker: {
    id: "exact-thinker",
    api: "chat",
    upstreamModel: "up-thinker",
    ...basic,
    prices: rates,
    hidesReasoning: true,
  },
  messages: {
    id: "exact-messages",
    api: "messages",
    upstreamModel: "up-messages",
    ...basic,
    prices: { ...rates, cached: 2_000n, cacheWrite: 12_000n },
  },
  responses: {
    id: "exact-responses",
    api: "responses",
    upstreamModel: "up-responses",
    ...basic,
    prices: { ...rates, cached: 2_000n },
  },
  embeddings: {
    id: "exact-embeddings",
    api: "embeddings",
    upstreamModel: "up-embeddings",
    contextWindow: 8_000,
    maxOutput: 0,
    prices: { input: 10_000n, output: 0n },
  },
} as const satisfies Record<string, SuiteModel>;

/** Returns what a request costs at the prices of a model, in nano-units: the truth that a ledger is compared with. */
export function costOf({ prices }: Pick<SuiteModel, "prices">, tokens: Tokens): bigint {
  const { input, output, cached = 0, cacheWrite = 0 } = tokens;
  const { tier, request = 0n } = prices;
  const rate = tier !== undefined && input > tier.aboveInput ? tier : prices;
  return (
    BigInt(input - cached - cacheWrite) * rate.input +
    BigInt(cached) * (rate.cached ?? rate.input) +
    BigInt(cacheWrite) * (rate.cacheWrite ?? rate.input) +
    BigInt(output) * rate.output +
    request
  );
}

/** Returns nano-units a token as a decimal string of currency units a million tokens, as price lists of gateways have them. */
export const perMillion = (rate: bigint): string => asDecimal(rate * 1_000_000n);

/** Returns nano-units as a decimal string of currency units. */
export function asDecimal(nano: bigint): string {
  const digits = String(nano < 0n ? -nano : nano).padStart(10, "0");
  const fraction = digits.slice(-9).replace(/0+$/, "");
  return `${nano < 0n ? "-" : ""}${digits.slice(0, -9)}${fraction === "" ? "" : `.${fraction}`}`;
}

/** Returns a decimal string of currency units as nano-units. Throws an error for any other text, and for a tenth digit of the fraction. */
export function asNano(decimal: string): bigint {
  const [, sign, whole = "", fraction = ""] = /^(-?)(\d+)(?:\.(\d{1,9}))?$/.exec(decimal) ?? [];
  if (sign === undefined) throw new Error(`"${decimal}" is not a decimal string with at most 9 decimals.`);
  const nano = BigInt(whole) * 1_000_000_000n + BigInt(fraction.padEnd(9, "0"));
  return sign === "-" ? -nano : nano;
}
