import type { UnreadResponses } from "@tollgate/core/internal";

/** Returns responses unchanged and does not count unread bytes. */
export const withoutBackpressure: UnreadResponses = {
  withBackpressure: (answer) => answer,
  watch: () => () => undefined,
};
