import { isJsonObject, type JsonObject } from "../wire/json.ts";

/** A frame less its usage, and what it had: OpenAI puts it on the frame, Groq in `x_groq`, Moonshot on a choice. */
export interface FrameWithoutUsage {
  readonly frame: JsonObject;
  /** Every usage object that was there, not yet believed. */
  readonly reported: readonly JsonObject[];
}

/** Takes the usage out of a frame, wherever the upstream put it. The frame given is not changed. */
export function takeUsage(frame: JsonObject): FrameWithoutUsage {
  const reported: JsonObject[] = [];
  const take = (holder: JsonObject): JsonObject => {
    if (!Object.hasOwn(holder, "usage")) return holder;
    const { usage, ...rest } = holder;
    if (isJsonObject(usage)) reported.push(usage);
    return rest;
  };
  const { x_groq: groq, choices } = frame;
  const bare = {
    ...take(frame),
    ...(isJsonObject(groq) ? { x_groq: take(groq) } : {}),
    ...(Array.isArray(choices)
      ? { choices: choices.map((choice) => (isJsonObject(choice) ? take(choice) : choice)) }
      : {}),
  };
  return { frame: bare, reported };
}
