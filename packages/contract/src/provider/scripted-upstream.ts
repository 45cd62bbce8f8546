import type { UpstreamRequest } from "./upstream-codec.ts";
import type { UpstreamScript } from "./upstream-script.ts";

/** The upstream of one case, as `create` is given it. */
export interface ScriptedUpstream {
  /** Where it listens: "http://127.0.0.1:9999". */
  readonly origin: string;
  /** A key that no error may ever hold. */
  readonly apiKey: string;
  /** The model's name at the upstream. */
  readonly model: string;
  /** For a double of what a provider without HTTP calls: what to do about one request, given as text. It counts the request. */
  take(asked: string): UpstreamScript;
}

/** Chooses what to do with a request that has come. */
export type Director = (request: UpstreamRequest) => UpstreamScript;

/** What the upstream was asked, and what it does about it. */
export class ScriptDesk {
  readonly received: UpstreamRequest[] = [];
  direct: Director = () => {
    throw new Error("The provider asked its upstream before the case said what to answer.");
  };

  take(request: UpstreamRequest): UpstreamScript {
    this.received.push(request);
    return this.direct(request);
  }
}
