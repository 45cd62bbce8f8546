import type { ErrorCode } from "../errors/error-table.ts";
import type { AttemptFailure } from "../errors/provider-error.ts";
import type { Dialect } from "../wire/dialect.ts";
import type { Usage } from "../wire/usage.ts";
import type { Notice } from "./notice-outbox.ts";
import type { TokenCounts } from "./receipt.ts";
import type { SpendLimit } from "./spend-limit.ts";
import type { TargetAttempts, TimelineStep } from "./usage-store.ts";
import type { WebhookErrorCode } from "./webhook-log.ts";
import type { DeliveryState } from "./webhook-runner.ts";

/**
 * Why a request ended: with a complete response, with an error response, because its client left, because its upstream
 * failed after the response began, or because of a drain.
 */
export type Ending = "complete" | "refused" | "client_gone" | "upstream_failed" | "drained";

/** The provider, usage and cost of one model call, or of all calls of a turn together. */
export interface CallReport {
  /** The API that the client speaks. */
  readonly dialect: Dialect;
  /** The public model id. */
  readonly model: string;
  /** The provider that responded, or the last one that was tried. */
  readonly provider: string;
  /** The provider's name of the model. */
  readonly upstreamModel: string;
  readonly attempts: number;
  /** Tokens by class, with other members that the provider reported. */
  readonly usage: Usage;
  /** The tokens of the usage, by the classes that have prices. */
  readonly tokens: TokenCounts;
  /** True when the usage is an estimate, since the provider reported none, or not for all of the output. */
  readonly estimated: boolean;
  /** True when the provider reported more than ten times the hold, to which usage and cost were reduced. */
  readonly implausible: boolean;
  /** The charge, in nano-units. */
  readonly cost: bigint;
  /** What the host pays, in nano-units. Present if each called target has a `cost`. */
  readonly upstreamCost?: bigint;
  /** The id of the hold, which is the reference of the charge in the ledger. Absent on a plan that does not bill. */
  readonly holdId?: string;
  /** Time from the request to the first content. Absent without streaming. */
  readonly firstContentMs?: number;
  /** Time from the start of the last attempt to the charge. */
  readonly attemptMs: number;
  /** The id of the answer, as the client has it. Absent without an answer. */
  readonly answerId?: string;
  /** Why each choice of the answer ended, as its client sees it: "stop" or "end_turn", for example. Absent if it did not. */
  readonly finishReasons?: readonly string[];
}

interface RequestEvent {
  /** The `x-request-id` of the response. It is the client's if that was valid. */
  readonly requestId: string;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
}

/** The members of both end events. Those of a call are present if a model was called and charged. */
interface RequestEnd extends RequestEvent, Partial<CallReport> {
  /** The UUID of the request, which a client cannot choose. */
  readonly id: string;
  readonly endpoint: string;
  readonly status: number;
  readonly durationMs: number;
  readonly ending: Ending;
  /** Absent when no key was recognized. */
  readonly keyId?: string;
  readonly account?: string;
  readonly plan?: string;
  /** The tags of the key. Absent when it has none. */
  readonly tags?: readonly string[];
  /** The session of an assistant's turn. */
  readonly sessionId?: string;
  /** `safety_identifier` of the request, or `user`, at most 256 characters. */
  readonly endUser?: string;
  /** Present if an attempt failed, or several targets were called. */
  readonly attemptsByTarget?: readonly TargetAttempts[];
  /** At most 2 KiB as JSON: steps that would exceed it are left out. */
  readonly timeline: readonly TimelineStep[];
}

/**
 * An event of the gateway. Each `request.started` is followed by exactly one `request.completed` or `request.refused`. No
 * event contains a key or a message of a conversation. A `cause` may contain addresses of upstreams and is meant for the host only.
 */
export type GatewayEvent =
  /** A request has arrived. `endpoint` is "unknown" if there is none at its path. */
  | (RequestEvent & {
      readonly type: "request.started";
      readonly endpoint: string;
    })
  /** A request was answered, and its streams and charges have ended. */
  | (RequestEnd & { readonly type: "request.completed" })
  /** A request was answered with an error response. */
  | (RequestEnd & {
      readonly type: "request.refused";
      readonly code: ErrorCode;
      readonly cause?: unknown;
    })
  /** One model call of an assistant's turn was charged. The end event of the turn has the sum of its calls. */
  | (RequestEvent &
      CallReport & {
        readonly type: "model.called";
        /** Time from the checks of the call to its charge. */
        readonly durationMs: number;
        readonly ending: Ending;
        readonly keyId: string;
        readonly account: string;
      })
  /** An attempt at a target failed. */
  | (RequestEvent &
      AttemptFailure & {
        readonly type: "attempt.failed";
        readonly provider: string;
        readonly upstreamModel: string;
        readonly detail?: string;
        /** Time from the start of the attempt to its failure. */
        readonly durationMs: number;
      })
  /** An upstream's stream had events of a type that its dialect does not have. They were left out. Each type of a stream is reported once. */
  | (RequestEvent & {
      readonly type: "event.unknown";
      readonly provider: string;
      readonly upstreamModel: string;
      /** At most 64 characters. */
      readonly eventType: string;
    })
  /**
   * Usage could not be recorded, or old rows could not be removed, and is retried. `waiting` is the number of rows that
   * are not recorded.
   */
  | {
      readonly type: "usage.delayed";
      readonly at: number;
      readonly part: "record" | "prune";
      readonly waiting: number;
      readonly cause: Error;
    }
  /** The oldest rows of usage that waited for the store were dropped, since there were too many. `count` is how many. */
  | { readonly type: "usage.dropped"; readonly at: number; readonly count: number }
  /**
   * A provider reported a usage that costs more than ten times the hold, or for a free model more than ten times the
   * reserved tokens. The request and its token window were charged ten times the hold. A usage of more than 10^9 tokens
   * cannot be true, and an estimate was charged.
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
  /** The circuit breaker of a target opened, after repeated failures or rejected credentials; or it closed. */
  | {
      readonly type: "target.opened" | "target.closed";
      readonly at: number;
      readonly provider: string;
      readonly upstreamModel: string;
    }
  /** A webhook was called, or was not sent for the reason in `error`. The session's logs have the details. */
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
  /** A function of the host returned an invalid list of models or assistants, or threw. The last valid list stays in use. */
  | { readonly type: "configuration.failed"; readonly at: number; readonly cause: unknown }
  /** A hold could not be ended, and is retried. `waiting` is the number of such holds. */
  | {
      readonly type: "settlement.delayed";
      readonly at: number;
      readonly holdId: string;
      readonly waiting: number;
      readonly cause: Error;
    }
  /**
   * A part of a heartbeat failed or timed out. The next heartbeat tries again. `renew` renews holds, `limits` renews
   * concurrency slots, `sweep` ends the holds of processes that died, `notices` delivers notices, `responses` removes expired responses, `spend` reads
   * what is spent of the option `spend`.
   */
  | {
      readonly type: "heartbeat.failed";
      readonly at: number;
      readonly part: "renew" | "limits" | "sweep" | "notices" | "responses" | "spend";
      readonly cause: Error;
    }
  /**
   * The hold of a running request has expired, since this process or the store was paused. The usage up to then is charged.
   * The settlement charges the rest late.
   */
  | {
      readonly type: "hold.lost";
      readonly at: number;
      readonly holdId: string;
    }
  /** A spend limit was used to a threshold, or the available balance of an account is low. Each notice is reported once. */
  | { readonly type: "notice"; readonly at: number; readonly notice: Notice }
  /** A notice was given up after three days, since these endpoints have not accepted it. */
  | {
      readonly type: "notice.undelivered";
      readonly at: number;
      readonly notice: Notice;
      /** The names of the endpoints. */
      readonly endpoints: readonly string[];
    }
  /**
   * The upstream cost of all accounts reached a share of the option `spend`. Each process reports each share once in a window,
   * also one that was reached before it started.
   */
  | {
      readonly type: "spend.reached";
      readonly at: number;
      /** Percent: 50, 80 or 100. */
      readonly threshold: 50 | 80 | 100;
      readonly limit: SpendLimit;
      /** Nano-units. */
      readonly spent: bigint;
      /** When the window ends. */
      readonly resetsAt: Date;
      /** True: calls of models are refused until then. */
      readonly stopped: boolean;
    }
  /** Content could not be stored, and is tried again. `waiting` is the number of requests whose content waits. */
  | { readonly type: "content.delayed"; readonly at: number; readonly waiting: number; readonly cause: Error }
  /** A response was answered with `store: false` although its client wanted it stored, since its account is full or the store failed. */
  | {
      readonly type: "response.unstored";
      readonly at: number;
      readonly account: string;
      readonly reason: "full" | "failed";
      readonly cause?: Error;
    }
  /** The content of requests was not stored, since too much waits or `redact` threw. */
  | { readonly type: "content.lost"; readonly at: number; readonly requests: number }
  /** A drain timed out with running requests, open holds of the host (counted in `requests`), pending settlements, or rows of usage that are not recorded. */
  | {
      readonly type: "drain.incomplete";
      readonly at: number;
      readonly requests: number;
      readonly settlements: number;
      readonly usageRows: number;
    }
  /** A charge was not posted, since its hold had ended in another way or is unknown to the store. */
  | {
      readonly type: "ledger.conflict";
      readonly at: number;
      readonly holdId: string;
    };

/** The event at the end of a request. */
export type EndEvent = Extract<GatewayEvent, { readonly type: "request.completed" | "request.refused" }>;

/** Receives every event. Its errors are ignored and its result is not awaited, so it cannot affect a request. */
export type Observer = (event: GatewayEvent) => void;

/** An observer that uses only the events of problems, so that those of successful requests are not created for it. */
export type ProblemObserver = Observer & { readonly problemsOnly: true };
