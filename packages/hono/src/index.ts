export { tollgate } from "./tollgate.ts";
