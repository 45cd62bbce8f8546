export type { BrowserTokenOptions } from "./browser-token-options.ts";
export { browserTokens, type WithBrowserTokens } from "./browser-tokens.ts";
export type { BrowserToken, BrowserTokens } from "./create-token.ts";
export type { NewBrowserToken } from "./new-browser-token.ts";
