import { isJsonObject, type JsonObject } from "../../../wire/json.ts";

/** Returns the last `response` of the frames, which is the whole one. Returns undefined if there is none. */
export const lastResponse = (frames: readonly JsonObject[]): object | undefined =>
  frames.map(({ response }) => response).findLast(isJsonObject);
