import type { Moment } from "../processes/journal.ts";

/** One message to an assistant, as its client sent it. */
export interface TurnCall {
  readonly session: string;
  /** A unique text that occurs in the message, image, webhook and answer of the turn. */
  readonly marker: string;
}

/**
 * The answer to the client: the turn is `completed`, it was `refused` because another turn has the session, or it
 * `failed` with an unknown effect.
 */
export interface TurnAnswer {
  readonly outcome: "completed" | "refused" | "failed";
  /** An answer that no killed process or database explains. */
  readonly unexpected?: string;
}

/** The beginning or the answer of a message. */
export type TurnMoment = Moment<TurnCall, TurnAnswer>;

/** The path of the webhook of a turn. */
export const notePath = (marker: string): string => `/notes/${marker}`;

/** The image of a turn's message. */
export const imageOf = (marker: string): string => `https://images.test/${marker}`;

/** The last text of the model in a turn, with the number of earlier turns that it saw. */
export const finalWords = (marker: string, turnsBefore: number): string => `${marker} after ${turnsBefore}`;
