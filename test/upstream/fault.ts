import type { UpstreamEvent } from "./upstream-event.ts";

/** A moment of a stream: what the upstream would send next. */
export type Moment = "the first event" | "the first content" | "more content" | "the last event" | "the end";

/** How a mock upstream fails. An answer in one piece fails in its middle, whatever the moment. */
export type Fault =
  /** Answers with an error. The body is the API's own unless one is given. */
  | {
      readonly kind: "status";
      readonly status: number;
      readonly body?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | {
      /**
       * `reset` breaks the connection, `close` ends the response, `hang` sends nothing more, `garbage` sends what is no event,
       * and `error event` sends the event by which the API reports an error. The last two then end the response.
       */
      readonly kind: "reset" | "close" | "hang" | "garbage" | "error event";
      readonly before: Moment;
    };

/** Returns how many events are sent before a moment. */
export function eventsBefore(events: readonly UpstreamEvent[], moment: Moment): number {
  const firstContent = events.findIndex(({ isContent }) => isContent);
  if (moment === "the first event") return 0;
  if (moment === "the first content") return firstContent;
  if (moment === "more content") return firstContent + 1;
  return moment === "the last event" ? events.length - 1 : events.length;
}
