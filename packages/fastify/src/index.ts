export { type TollgateOptions, tollgate } from "./plugin.ts";
export { tollgateHandler } from "./tollgate-handler.ts";
