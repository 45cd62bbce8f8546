import { readFileSync } from "node:fs";

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");

/** An answer of the Messages API in one piece, by the name of its file. */
export const recordedAnswer = (name: string): string => read(`./answers/${name}.json`);

/** A streamed answer of the Messages API, by the name of its file. */
export const recordedStream = (name: string): string => read(`./streams/${name}.sse`);

/** The body of a refusal of the Messages API, by the name of its file. */
export const recordedError = (name: string): string => read(`./errors/${name}.json`);
