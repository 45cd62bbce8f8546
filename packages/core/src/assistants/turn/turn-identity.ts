import type { StreamIdentity } from "../../streaming/frames.ts";
import type { Begun } from "./begin-turn.ts";

/** What every frame of a turn, or its one completion, says of itself, however many calls of the model it took. */
export const turnIdentity = ({ requestId, startedAt, assistant }: Begun): StreamIdentity => ({
  id: `chatcmpl-${requestId}`,
  created: Math.floor(startedAt / 1000),
  model: assistant.model,
});
