export { type TollgateOptions, tollgate } from "./plugin.ts";
export { type ClientAddress, type HandlerOptions, tollgateHandler } from "./tollgate-handler.ts";
