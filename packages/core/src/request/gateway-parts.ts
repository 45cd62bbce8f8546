import type { Background } from "../money/heartbeat.ts";
import type { ResponseStream } from "../ports/gateway-response.ts";
import type { Observer } from "../ports/observer.ts";
import type { ResponseStore } from "../ports/response-store.ts";
import type { NoticeRules } from "../ports/spend-limit.ts";
import type { Dialect } from "../wire/dialect.ts";
import type { PaidCall } from "./paid-call.ts";

/** What a part gets from its gateway. */
export interface PartContext {
  /** Gets the events of the part. */
  readonly observe: Observer;
  readonly storeTimeoutMs: number;
}

/** A service that a gateway can work without. A bundle that does not import its maker has none of its code. */
export interface GatewayPart<Option extends string, Service> {
  /** The option that it is passed as. */
  readonly option: Option;
  /** Creates the service. Called once for each gateway. */
  create(context: PartContext): Service;
}

/** Stores the content of requests whose model or key asks for it. */
export interface ContentService {
  /** Stores a request and its answer in one piece. */
  logCompletion(paid: PaidCall, json: string): void;
  /** Returns a stream that stores the request and the merged frames when it ends; `body` itself if they are not asked for. */
  logStream(paid: PaidCall, body: ResponseStream, dialect: Dialect): ResponseStream;
  /** Stores what waits. Resolves when it is stored or has failed once. */
  flush(): Promise<void>;
}

/** When holds write notices, and the work that delivers them. */
export interface NoticeService {
  readonly rules: NoticeRules;
  readonly delivery: Background;
}

/** How responses are stored. */
export interface ResponseStorage {
  readonly store: ResponseStore;
  readonly ttlMs: number;
  /** The most bytes of all stored responses of one account. */
  readonly maxAccountBytes: number;
}

/** How responses are stored, and the work that removes expired ones. */
export interface ResponseService {
  readonly storage: ResponseStorage;
  readonly sweep: Background;
}

/** Records the usage of requests off their path. */
export interface UsageService {
  /** Takes an event. Every end event of a request with a key at an endpoint that calls models becomes a row. */
  readonly take: Observer;
  /** The number of rows that are not recorded yet. */
  readonly pending: number;
  /** The number of rows that were dropped because too many were waiting. */
  readonly dropped: number;
  /** Sends all rows without a wait, and resolves when they are recorded. Rows of later requests are sent at once too. */
  flush(): Promise<void>;
  /** Stops the removal of old rows. Rows that wait are still sent. */
  stop(): void;
}

/** Stores prompts and answers of the models and keys that have `logContent`. */
export type ContentPart = GatewayPart<"content", ContentService>;
/** Tells the host about used spend limits and low balances. */
export type NoticesPart = GatewayPart<"notices", NoticeService>;
/** Stores responses of the Responses API for their account. */
export type ResponsesPart = GatewayPart<"responses", ResponseService>;
/** Records one row for each request that may call a model. */
export type UsagePart = GatewayPart<"usage", UsageService>;

/** The parts of a gateway. */
export interface GatewayParts {
  readonly content?: ContentPart;
  readonly notices?: NoticesPart;
  readonly responses?: ResponsesPart;
  readonly usage?: UsagePart;
}
