export { type TollgateOptions, tollgate } from "./plugin.ts";
export { type ClientAddress, tollgateHandler } from "./tollgate-handler.ts";
