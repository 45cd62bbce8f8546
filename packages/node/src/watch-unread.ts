import type { ServerResponse } from "node:http";
import type { UnreadResponses } from "@tollgate/core/internal";

/**
 * Counts what a response has written and its socket has not taken with the other unread answers, until the event that
 * says it was taken, so that it is cut when the client does not read it. Does nothing for a pipelined response that still
 * waits for its turn on the connection.
 */
export function watchUnread(res: ServerResponse, unread: UnreadResponses, taken: "finish" | "drain" = "finish"): void {
  if (res.writableLength === 0 || res.socket === null) return;
  const isRead = unread.watch(res.writableLength, () => res.destroy());
  const done = () => {
    res.off(taken, done).off("close", done);
    isRead();
  };
  res.on(taken, done).on("close", done);
}
