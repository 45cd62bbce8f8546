import type { StreamIdentity } from "../../streaming/answer-translator.ts";
import type { ActiveTurn } from "./begin-turn.ts";

/** The id, time and model in the completion of a turn, or in each of its frames. They do not depend on the number of rounds. */
export const turnIdentity = ({ admission: { exchange }, assistant }: ActiveTurn): StreamIdentity => ({
  id: `chatcmpl-${exchange.requestId}`,
  created: Math.floor(exchange.startedAt / 1000),
  model: assistant.model,
});
