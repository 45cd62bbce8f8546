/**
 * The mutants that no test can or should kill, as "code → replacement", each group with its reason. Where the same mutation
 * survives twice in a file, it is listed twice. Codes longer than 80 characters are cut.
 * @type {readonly { readonly file: string, readonly reason: string, readonly mutants: readonly string[] }[]}
 */
export const survivors = [
  {
    file: "packages/node/src/webhook/address/address-range.ts",
    reason: "`split` always returns a first text, and both defaults of the second one are refused.",
    mutants: ['"" → "Stryker was here!"', '"" → "Stryker was here!"'],
  },
  {
    file: "packages/node/src/webhook/address/parse-address.ts",
    reason: "`split` always returns a first text. The default is for the types.",
    mutants: ['"" → "Stryker was here!"'],
  },
];
