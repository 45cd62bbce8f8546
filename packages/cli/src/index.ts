export type { OpenProof, ProofPlace } from "./prove/place.ts";
export type { Records, RecordsSource } from "./records.ts";
