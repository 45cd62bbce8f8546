import type { Moment } from "../processes/journal.ts";
import type { RequestForm } from "./small-request.ts";

/** One request of a client. */
export interface AnswerCall extends RequestForm {
  readonly requestId: string;
  /** The process that asks. */
  readonly process: string;
  /** The stored response that it continues. */
  readonly continues?: string;
  /** The number of responses before it in its conversation. */
  readonly link: number;
}

/** What the client received: a whole answer, the id of one that says that it is stored, a refusal, or anything else. */
export type AnswerOutcome = "whole" | "refused" | { readonly stored: string } | { readonly unexpected: string };

/** A response that was answered as stored, and the call for it. */
export interface StoredAnswer {
  readonly id: string;
  readonly call: AnswerCall;
}

/** Returns the responses that were answered as stored, in the order of their answers. */
export function storedAnswers(moments: readonly Moment<AnswerCall, AnswerOutcome>[]): StoredAnswer[] {
  const answered = moments.flatMap(({ happened, recorded }) => (happened === "answered" ? [recorded] : []));
  return answered
    .sort((a, b) => (a.answeredAt ?? 0) - (b.answeredAt ?? 0))
    .flatMap(({ call, answer }) => {
      const id = storedId(answer);
      return id === undefined ? [] : [{ id, call }];
    });
}

/** Returns the id of an answer that says that it is stored. */
export const storedId = (answer: AnswerOutcome | undefined): string | undefined =>
  typeof answer === "object" && "stored" in answer ? answer.stored : undefined;
