export type { Records, RecordsSource } from "./records.ts";
