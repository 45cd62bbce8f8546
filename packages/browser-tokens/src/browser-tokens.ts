import type { GatewayExtension } from "@tollgate/core";
import { readOptions } from "@tollgate/core/extension";
import { type BrowserTokenOptions, optionsSchema } from "./browser-token-options.ts";
import { type BrowserTokens, tokenMaker } from "./create-token.ts";
import { tokenReader } from "./read-token.ts";
import { signingKeys } from "./signing-keys.ts";

/** What the `browserTokens` extension adds to a gateway. */
export interface WithBrowserTokens {
  /** Makes tokens by which pages call the gateway in place of an API key. */
  readonly browserTokens: BrowserTokens;
}

/**
 * Lets pages call a gateway with short-lived tokens of its keys: an element of the option `extensions` of `createGateway`. The
 * options are copied and checked here. `createGateway` reports their problems together with its own.
 *
 * @example
 * const tokens = browserTokens({ secret, origins: ["https://app.example"] });
 * const gateway = createGateway({ ...options, extensions: [tokens] });
 */
export function browserTokens(options: BrowserTokenOptions): GatewayExtension<WithBrowserTokens> {
  const reading = readOptions(optionsSchema, options, "browserTokens");
  if ("problems" in reading) {
    const { problems } = reading;
    return {
      origins: [],
      problems: () => problems,
      attach() {
        throw new TypeError(problems.join("\n"));
      },
    };
  }
  const { secret, origins } = reading.output;
  const signing = signingKeys(...secret);
  return {
    origins,
    problems: () => [],
    attach: (host) => ({
      browserTokens: tokenMaker(signing, host.acceptTokens(tokenReader(signing, origins)), origins),
    }),
  };
}
