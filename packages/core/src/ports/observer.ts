import type { ErrorCode } from "../errors/error-table.ts";
import type { Usage } from "../wire/usage.ts";
import type { WebhookErrorCode } from "./webhook-error.ts";
import type { DeliveryState } from "./webhook-runner.ts";

/**
 * Why a request ended: answered whole, refused before or in place of an answer, left by its client, broken off by its
 * upstream, or ended by a drain.
 */
export type Ending = "complete" | "refused" | "client_gone" | "upstream_failed" | "drained";

/** One call of a model, or all calls of a turn together: where it was answered, what it used, and what it cost. */
export interface CallReport {
  /** The API that the client speaks. */
  readonly dialect: "chat";
  /** The public model id. */
  readonly model: string;
  /** The provider that answered, or that was asked last. */
  readonly provider: string;
  /** That provider's own name of the model. */
  readonly upstreamModel: string;
  readonly attempts: number;
  /** Tokens by class, with whatever else the provider told. */
  readonly usage: Usage;
  /** The usage is an estimate, since the provider reported none, or none for the end of the output. */
  readonly estimated: boolean;
  /** The provider reported more than ten times the hold, to which usage and cost were cut. */
  readonly implausible: boolean;
  /** Nano-units charged. */
  readonly cost: bigint;
  /** The hold, which is the reference of the charge in the ledger; absent on a plan that does not bill. */
  readonly holdId?: string;
  /** From the request until the first content; absent when the answer was not a stream. */
  readonly firstContentMs?: number;
}

interface RequestEvent {
  /** The `x-request-id` of the answer: the client's own when it sent a usable one. */
  readonly requestId: string;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
}

/** What both end events tell; the members of a call are there when a model was called and charged. */
interface RequestEnd extends RequestEvent, Partial<CallReport> {
  readonly endpoint: string;
  readonly status: number;
  readonly durationMs: number;
  readonly ending: Ending;
  /** Absent when no key was recognized. */
  readonly keyId?: string;
  readonly account?: string;
}

/**
 * What happens in the gateway, as it happens. Each `request.started` is followed by exactly one `request.completed` or
 * `request.refused`. No event holds a key or a message. A `cause` is what the network threw, and can name the address of
 * an upstream: it is for the host alone.
 */
export type GatewayEvent =
  /** A request has come; `endpoint` is "unknown" when nothing is at its path. */
  | (RequestEvent & {
      readonly type: "request.started";
      readonly endpoint: string;
    })
  /** A request was answered, and whatever streams and charges belong to it have ended. */
  | (RequestEnd & { readonly type: "request.completed" })
  /** A request was answered with an error, before anything of another answer. */
  | (RequestEnd & {
      readonly type: "request.refused";
      readonly code: ErrorCode;
      readonly cause?: unknown;
    })
  /** One call of the model within the turn of an assistant has been charged; the end of the turn sums them up. */
  | (RequestEvent &
      CallReport & {
        readonly type: "model.called";
        readonly ending: Ending;
        readonly keyId: string;
        readonly account: string;
      })
  /** A target failed to answer an attempt. */
  | (RequestEvent & {
      readonly type: "attempt.failed";
      readonly provider: string;
      readonly upstreamModel: string;
      readonly failure: string;
      readonly detail?: string;
    })
  /**
   * A provider reported a usage that costs more than ten times the hold, or on a free model more than ten times the
   * tokens that were reserved. The request was charged ten times the hold, and its token window took the same.
   */
  | (RequestEvent & {
      readonly type: "usage.implausible";
      readonly keyId: string;
      readonly account: string;
      readonly model: string;
      readonly provider: string;
      readonly upstreamModel: string;
      readonly reported: Usage;
      readonly charged: Usage;
    })
  /** A target failed too often, or its credentials did, and is left alone for a while; or it answered again. */
  | {
      readonly type: "target.opened" | "target.closed";
      readonly at: number;
      readonly provider: string;
      readonly upstreamModel: string;
    }
  /** A webhook was called, or was not sent for the reason in `error`; the session's logs tell the rest. */
  | (RequestEvent & {
      readonly type: "webhook.called";
      readonly sessionId: string;
      readonly assistant: string;
      readonly trigger: string;
      readonly outcome: "succeeded" | DeliveryState;
      readonly status: number | null;
      readonly error?: WebhookErrorCode;
      readonly attempts: number;
      readonly durationMs: number;
    })
  /** The host gave a list of models or assistants with a fault; the last good one stays in use. */
  | { readonly type: "configuration.failed"; readonly at: number; readonly cause: unknown }
  /** A hold could not be ended, and it is tried again. `waiting` says how many are. */
  | {
      readonly type: "settlement.delayed";
      readonly at: number;
      readonly holdId: string;
      readonly waiting: number;
      readonly cause: Error;
    }
  /**
   * A part of a heartbeat failed or was late, and is made up for by the next: `renew` keeps holds, `limits` keeps places
   * in limits, `sweep` ends the holds of processes that died.
   */
  | {
      readonly type: "heartbeat.failed";
      readonly at: number;
      readonly part: "renew" | "limits" | "sweep";
      readonly cause: Error;
    }
  /**
   * The hold of a running request has ended under it, since its lease ran out: this process or the store stood still.
   * What was used by then is charged; the settlement will charge the rest, late.
   */
  | {
      readonly type: "hold.lost";
      readonly at: number;
      readonly holdId: string;
    }
  /** A drain did not wait any longer for requests that still run, and for settlements that the store has not taken. */
  | {
      readonly type: "drain.incomplete";
      readonly at: number;
      readonly requests: number;
      readonly settlements: number;
    }
  /** A hold had ended otherwise, or the store does not know it any more, so that its charge was not posted. */
  | {
      readonly type: "ledger.conflict";
      readonly at: number;
      readonly holdId: string;
    };

/** Receives every event. What it throws is swallowed, and what it returns is not awaited: it cannot touch a request. */
export type Observer = (event: GatewayEvent) => void;
