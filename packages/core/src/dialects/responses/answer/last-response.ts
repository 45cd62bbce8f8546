import { isJsonObject, type JsonObject } from "../../../wire/json.ts";

/** Returns the response in the last frame that has one, with everything that the frames before it added. */
export const lastResponse = (frames: readonly JsonObject[]): object | undefined =>
  frames.map(({ response }) => response).findLast(isJsonObject);
