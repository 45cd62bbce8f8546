export { type TollgateOptions, tollgate } from "./tollgate.ts";
