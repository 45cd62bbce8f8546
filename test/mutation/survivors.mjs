/**
 * The mutants that no test can or should kill, by file and reason, as "code → replacement". Where the same mutation survives
 * twice in a file, it is listed twice. Code longer than 80 characters is cut.
 * @type {Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>}
 */
export const survivors = {
  "packages/node/src/webhook/address/address-range.ts": {
    "`split` always returns a first text, and both defaults of the second one are refused.": [
      '"" → "Stryker was here!"',
      '"" → "Stryker was here!"',
    ],
  },
  "packages/node/src/webhook/address/parse-address.ts": {
    "The default is for the types: `split` always returns a first text.": ['"" → "Stryker was here!"'],
  },
  "packages/assistants/src/webhook/template/grammar.ts": {
    "Performance only: the regular expression accepts the same letters.": [
      "unit > 0x7f → true",
      "unit > 0x7f → unit >= 0x7f",
    ],
    "Unreachable: it is called only where a letter is.": [
      "matchAt(identifier, text, at)?.[0] → matchAt(identifier, text, at)[0]",
    ],
    "Unreachable: an identifier is read only where a letter is, and the groups of the other expressions always match.":
      ['"" → "Stryker was here!"', '"" → "Stryker was here!"', '"" → "Stryker was here!"'],
    "Performance only: the regular expression begins with the same characters.": [
      "first === dot || first === bracket → true",
    ],
    "Performance only: the regular expression begins with the same text.": ['"images[" → ""'],
    "Equivalent: undefined is not less than a length.": ["end !== undefined → true"],
  },
  "packages/assistants/src/webhook/template/split-url.ts": {
    "The default is for the types: the expression matches any text with all groups.": [
      '"" → "Stryker was here!"',
      '"" → "Stryker was here!"',
      '"" → "Stryker was here!"',
      '"" → "Stryker was here!"',
    ],
    "Equivalent: without an anchor, the expression matches at the first position too.": [
      "/^([^/?#]*)([^?#]*)([^#]*)/ → /([^/?#]*)([^?#]*)([^#]*)/",
    ],
    "The default is for the types: the expression matches any text.": ['[] → ["Stryker was here"]'],
  },
  "packages/assistants/src/webhook/template/body-template.ts": {
    "Equivalent: only the other two types are compared.": ['"array" → ""'],
    "Equivalent: an absent value is undefined.": ["{ value: undefined } → {}"],
    "Equivalent: a function without a return returns undefined.": ["{ return undefined; } → {}"],
    "Equivalent: the token begins with a variable. The check is for the types.": [
      'reference.kind === "variable" → true',
    ],
    "Equivalent: a string or brace that is not closed is invalid in any case, and reaches the end.": [
      '/("[^"\\\\]*(?:\\\\.[^"\\\\]*)*(?:"|\\\\?$))(\\s*:)?|\\$\\{[^}]+(?:\\}|$)|\\$[\\p{L}_][^\\s{}[\\… → /("[^"\\\\]*(?:\\\\.[^"\\\\]*)*(?:"|\\\\?$))(\\s*:)?|\\$\\{[^}]+(?:\\})|\\$[\\p{L}_][^\\s{}[\\],:"$]*(?:\\[\\d+\\][^\\s{}[\\],:"$]*)*/gsu',
      '/("[^"\\\\]*(?:\\\\.[^"\\\\]*)*(?:"|\\\\?$))(\\s*:)?|\\$\\{[^}]+(?:\\}|$)|\\$[\\p{L}_][^\\s{}[\\… → /("[^"\\\\]*(?:\\\\.[^"\\\\]*)*(?:"|\\\\?))(\\s*:)?|\\$\\{[^}]+(?:\\}|$)|\\$[\\p{L}_][^\\s{}[\\],:"$]*(?:\\[\\d+\\][^\\s{}[\\],:"$]*)*/gsu',
    ],
    "Equivalent: every part of another kind is rendered as a value.": ['"value" → ""'],
    "Equivalent: the text begins with a dollar.": ["bracket < 0 → bracket <= 0"],
  },
  "packages/assistants/src/webhook/template/url-template.ts": {
    "Unreachable: a host with variables and without a list is a problem before.": ["allowed?.map → allowed.map"],
    "Equivalent: undefined is not in the set. The check is for the types.": ["host !== undefined → true"],
    "Equivalent: a function without a return returns undefined.": ["{ return undefined; } → {}"],
    "Equivalent: the first segment is empty and has no variable.": ["unsafe < 0 → unsafe <= 0"],
  },
  "packages/assistants/src/webhook/template/render-text.ts": {
    "Performance only: the loop does nothing for a text without a dollar.": ["at < 0 → false"],
    "Performance only: an open brace is read as a dollar in any case.": [
      '"}" → ""',
      "at > lastBrace → at >= lastBrace",
      'at > lastBrace && text.startsWith("${", at) → false',
    ],
  },
  "packages/assistants/src/webhook/template/scope.ts": {
    "Equivalent: a key of the same length is the name itself, which is listed before.": [
      "key.length <= name.length → key.length < name.length",
    ],
    "Equivalent: an additional name matches no text without it.": [
      '[] → ["Stryker was here"]',
      '[] → ["Stryker was here"]',
    ],
    "Equivalent: two names of the same length at the same position are the same.": [
      "name.length <= (longest?.length ?? 0) → name.length < (longest?.length ?? 0)",
    ],
    "Performance only: the whole name is compared afterwards.": [
      "text.charCodeAt(at + last) === name.charCodeAt(last) → true",
    ],
    'Equivalent: an array has no member of the name "undefined".': ["digits !== undefined → true"],
  },
  "packages/assistants/src/webhook/template/template-errors.ts": {
    "Equivalent: the message differs only for calls that may have been sent.": ['"not_sent" → ""'],
  },
  "packages/core/src/access/limits/failed-keys.ts": {
    "Equivalent: a function without a return returns undefined.": ["{ return undefined; } → {}"],
    "Equivalent: `split` returns a first side, and without a second one the address has eight groups.": [
      '[] → ["Stryker was here"]',
      '[] → ["Stryker was here"]',
    ],
  },
  "packages/core/src/access/limits/chunked-body.ts": {
    "Equivalent: `pipeTo` comes first, and sets both.": ["false → true", "false → true"],
    "Unreachable: `pipeTo` comes first.": ["this.#unread?.read → this.#unread.read"],
    "Unreachable: a stream that has ended holds no bytes, so it is not cut.": ["sink?.fail → sink.fail"],
  },
  "packages/core/src/access/limits/in-flight.ts": {
    "Equivalent: the set writes the position when the item is added.": ["-1 → +1"],
  },
  "packages/core/src/access/limits/limiter-results.ts": {
    "Equivalent: the error would be caught, and the work goes on.": ["waitUntil?.(done) → waitUntil(done)"],
    "Equivalent: a difference is a finite number if the sum is.": [
      "state?.limit + state?.remaining + state?.resetAt + state?.now → state?.limit + state?.remaining + state?.resetAt - state?.now",
      "state?.limit + state?.remaining + state?.resetAt → state?.limit + state?.remaining - state?.resetAt",
      "state?.limit + state?.remaining → state?.limit - state?.remaining",
    ],
  },
  "packages/core/src/access/limits/buffered-responses.ts": {
    "Equivalent: the set writes the position when the item is added.": ["-1 → +1"],
    "Equivalent: of two clients that are idle equally long, either may be cut.": [
      "unread.lastReadAt < (idlest?.lastReadAt ?? now) → unread.lastReadAt <= (idlest?.lastReadAt ?? now)",
    ],
  },
  "packages/core/src/money/cost.ts": {
    "Equivalent: an equal amount changes nothing.": ["amount > most → amount >= most"],
    "Performance only: without such tokens, it adds 0.": [
      "cachedInput > 0 → cachedInput >= 0",
      "cachedInput > 0 → true",
      "cacheWrite5m > 0 → cacheWrite5m >= 0",
      "cacheWrite5m > 0 → true",
      "cacheWrite1h > 0 → cacheWrite1h >= 0",
      "cacheWrite1h > 0 → true",
    ],
    "Equivalent: the details are present if they have a count. The check is for the types.": [
      "details?.cache_write_1h_tokens → details.cache_write_1h_tokens",
    ],
    "Equivalent: both sides return 2^53 - 1.": [
      "tokens < BigInt(Number.MAX_SAFE_INTEGER) → tokens <= BigInt(Number.MAX_SAFE_INTEGER)",
    ],
    "Performance only: the texts of a body are not longer than the body.": [
      "bodyBytes <= most → bodyBytes < most",
      "bodyBytes <= most → false",
    ],
    "Equivalent: the additional part is no text.": ['[] → ["Stryker was here"]'],
  },
  "packages/core/src/money/settlements.ts": {
    "Unreachable: an end waits until it is done.": ["this.#waiting.get(end)?.() → this.#waiting.get(end)()"],
    "Equivalent: the set writes the position when the item is added.": ["-1 → +1"],
  },
  "packages/core/src/money/token-counter.ts": {
    "Unreachable: it is called only with a function of the host. The check is for the types.": [
      "this.#count?.(text, model) → this.#count(text, model)",
    ],
    "Equivalent: a function without a return returns undefined.": ["{ return undefined; } → {}"],
  },
};
