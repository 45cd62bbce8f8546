import type { ServerResponse } from "node:http";
import type { UnreadAnswers } from "@tollgate/core";

/**
 * Counts what a response has written and its socket has not taken with the other unread answers, so that it is cut when
 * the client does not read it. Does nothing for a pipelined response that still waits for its turn on the connection.
 */
export function watchUnread(res: ServerResponse, unread: UnreadAnswers): void {
  if (res.writableLength === 0 || res.socket === null) return;
  const isRead = unread.watch(res.writableLength, () => res.destroy());
  res.once("finish", isRead).once("close", isRead);
}
