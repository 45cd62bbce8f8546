import type { ErrorCode } from "../errors/error-table.ts";
import type { WebhookErrorCode } from "../webhook/webhook-error.ts";
import type { Usage } from "../wire/usage.ts";
import type { WebhookCertainty } from "./webhook-runner.ts";

/** Why a stream or an answer ended. */
export type Ending = "complete" | "client_gone" | "upstream_failed" | "drained";

interface RequestEvent {
  readonly requestId: string;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
}

/**
 * What happens in the gateway, as it happens. No event holds a key or a message. A `cause` is what the network threw, and
 * can name the address of an upstream: it is for the host alone.
 */
export type GatewayEvent =
  | (RequestEvent & {
      readonly type: "request.started";
      readonly endpoint: string;
    })
  | (RequestEvent & {
      readonly type: "request.refused";
      readonly status: number;
      readonly code: ErrorCode;
      readonly keyId?: string;
      readonly cause?: unknown;
    })
  | (RequestEvent & {
      readonly type: "attempt.failed";
      readonly provider: string;
      readonly upstreamModel: string;
      readonly failure: string;
      readonly detail?: string;
    })
  | (RequestEvent & {
      readonly type: "request.completed";
      readonly ending: Ending;
      readonly keyId: string;
      readonly account: string;
      readonly model: string;
      readonly provider: string;
      readonly attempts: number;
      readonly usage: Usage;
      /** The usage is an estimate, since the provider reported none, or none for the end of the output. */
      readonly estimated: boolean;
      /** The provider reported more than ten times the hold, to which usage and cost were cut. */
      readonly implausible: boolean;
      /** Nano-units charged. */
      readonly cost: bigint;
      readonly durationMs: number;
      /** Until the first content; absent when the answer was not a stream. */
      readonly firstContentMs?: number;
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
      readonly outcome: "succeeded" | WebhookCertainty;
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
