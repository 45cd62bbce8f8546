import type { Moment } from "../processes/journal.ts";

/** One message to an assistant, as its client sent it. */
export interface TurnCall {
  readonly session: string;
  /** Stands in everything that the turn leaves: message, image, webhook, answer. No other attempt has it. */
  readonly marker: string;
}

/**
 * What the client was told: the turn is `kept`, it was `refused` since another has the session, or it failed in a way
 * that says nothing of what it left.
 */
export interface TurnAnswer {
  readonly outcome: "kept" | "refused" | "failed";
  /** What is no failure that a killed process or database explains. */
  readonly strange?: string;
}

/** A moment of a worker that sends messages. */
export type TurnMoment = Moment<TurnCall, TurnAnswer>;

/** The path that the webhook of a turn asks for. */
export const notePath = (marker: string): string => `/notes/${marker}`;

/** The image of a turn's message. */
export const imageOf = (marker: string): string => `https://images.test/${marker}`;

/** What the model says at the end of a turn before which it saw so many others. */
export const finalWords = (marker: string, turnsBefore: number): string => `${marker} after ${turnsBefore}`;
