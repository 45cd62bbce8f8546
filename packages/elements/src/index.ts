export { defineElements } from "./define-elements.ts";
export type { TollgateElement } from "./element.ts";
export type { ElementTexts } from "./texts.ts";
export type { TokenSource } from "./token.ts";
