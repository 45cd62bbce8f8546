import type { ServerResponse } from "node:http";
import { Cancellation, type ClientSignal } from "@tollgate/core";

/** Aborts when a response closes before all of it was sent. */
export class ResponseSignal extends Cancellation implements ClientSignal {
  constructor(res: ServerResponse) {
    super();
    // The client may have left while the host was at work before the gateway.
    this.aborted = res.destroyed;
    res.on("close", () => {
      // HTTP/2 calls a response finished that was reset.
      if (!res.writableEnded || !res.writableFinished) this.abort(undefined);
    });
  }
}
