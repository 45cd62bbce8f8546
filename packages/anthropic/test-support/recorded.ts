import { readFileSync } from "node:fs";

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");

/** Reads a recorded answer of the Messages API that was not streamed, by the name of its file. */
export const recordedAnswer = (name: string): string => read(`./answers/${name}.json`);

/** Reads a recorded stream of the Messages API, by the name of its file. */
export const recordedStream = (name: string): string => read(`./streams/${name}.sse`);

/** Reads a recorded error body of the Messages API, by the name of its file. */
export const recordedError = (name: string): string => read(`./errors/${name}.json`);
