import type { ContentLog } from "../events/content-log.ts";
import { LoggedStream } from "../events/logged-stream.ts";
import type { ResponseStream } from "../ports/gateway-response.ts";
import type { PaidCall } from "../request/paid-call.ts";
import type { ContentService, MergeFrames } from "../request/services.ts";
import { decodeFrames } from "../upstream/frames.ts";
import { asText } from "../wire/bytes.ts";

/**
 * Stores the content of requests in a {@link ContentLog}. It counts in the budget of bodies and the share of its key until
 * it is stored, and is lost if half of either is used up.
 */
export class RequestContentLog implements ContentService {
  readonly #log: ContentLog;

  constructor(log: ContentLog) {
    this.#log = log;
  }

  logCompletion(paid: PaidCall, json: string | Uint8Array): void {
    if (!isLogged(paid)) return;
    const { maxBytes } = this.#log;
    const share = paid.slot.newShare();
    const request = requestOf(paid, maxBytes);
    const response = json.length <= maxBytes ? asText(json) : undefined;
    if (share.takeSpare(sizeOf(request) + (response?.length ?? 0))) {
      this.#log.add({ ...identityOf(paid), request, response, share });
    } else this.#log.lose();
  }

  logStream(paid: PaidCall, body: ResponseStream, mergeFrames: MergeFrames): ResponseStream {
    if (!isLogged(paid)) return body;
    const { maxBytes } = this.#log;
    const share = paid.slot.newShare();
    // Read now, since a stream releases its prompt.
    let request = requestOf(paid, maxBytes);
    let isCounted = share.takeSpare(sizeOf(request));
    const identity = identityOf(paid);
    const merge = (frames: Uint8Array) => mergeFrames(decodeFrames(frames));
    return new LoggedStream(body, maxBytes, {
      keep: (bytes) => {
        isCounted &&= share.takeSpare(bytes);
        if (!isCounted) request = undefined;
        return isCounted;
      },
      end: (frames) => {
        if (isCounted) this.#log.add({ ...identity, request, response: frames && { frames, merge }, share });
        else {
          share.release();
          this.#log.lose();
        }
      },
    });
  }

  flush(): Promise<void> {
    return this.#log.flush();
  }
}

const isLogged = ({ model, caller }: PaidCall): boolean => model.logContent || caller.key.logContent === true;

const identityOf = ({ exchange, caller: { key }, model }: PaidCall) => ({
  id: exchange.id,
  at: new Date(exchange.startedAt),
  account: key.account,
  keyId: key.id,
  model: model.id,
});

/** About what a record takes beside its texts. */
const recordBytes = 1_024;

const sizeOf = (request: Uint8Array | undefined): number => recordBytes + (request?.length ?? 0);

function requestOf({ call }: PaidCall, maxBytes: number): Uint8Array | undefined {
  return call.bytes <= maxBytes ? call.original : undefined;
}
