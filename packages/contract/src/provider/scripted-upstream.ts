import type { UpstreamRequest } from "./upstream-codec.ts";
import type { UpstreamScript } from "./upstream-script.ts";

/** The upstream of one case, which the suite passes to `create`. */
export interface ScriptedUpstream {
  /** Its origin, such as "http://127.0.0.1:9999". */
  readonly origin: string;
  /** A key that no error may contain. */
  readonly apiKey: string;
  /** The model's name at the upstream. */
  readonly model: string;
  /**
   * For a test double of a provider without HTTP: returns the script for one request, passed as text, and records the
   * request.
   */
  take(request: string): UpstreamScript;
}

/** Returns the script for a request. */
export type ScriptSource = (request: UpstreamRequest) => UpstreamScript;

/** The requests of the upstream and its scripts. */
export class ScriptQueue {
  readonly received: UpstreamRequest[] = [];
  source: ScriptSource = () => {
    throw new Error("The provider called its upstream before the case set a script.");
  };

  take(request: UpstreamRequest): UpstreamScript {
    this.received.push(request);
    return this.source(request);
  }
}
