import type { Background } from "../money/heartbeat.ts";
import type { ResponseStream } from "../ports/gateway-response.ts";
import type { Observer } from "../ports/observer.ts";
import type { ResponseStore } from "../ports/response-store.ts";
import type { NoticeRules } from "../ports/spend-limit.ts";
import type { Dialect } from "../wire/dialect.ts";
import type { Held } from "./request-stages.ts";

/** What a part gets from its gateway. */
export interface PartHost {
  /** Gets the events of the part. */
  readonly observe: Observer;
  readonly storeTimeoutMs: number;
}

/** Makes a service that a gateway can work without. A bundle in which nothing makes it has none of its code. */
export type GatewayPart<Service> = (host: PartHost) => Service;

/** Stores the content of requests whose model or key asks for it. */
export interface ContentService {
  /** Stores a request and its answer in one piece. */
  logCompletion(held: Held, json: string): void;
  /** Returns the body of a stream, which stores the request and its merged frames at the end. */
  logStream(held: Held, body: ResponseStream, dialect: Dialect): ResponseStream;
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
  /** Sends all rows without a wait, and resolves when they are recorded. */
  flush(): Promise<void>;
  /** Stops the removal of old rows. Rows that wait are still sent. */
  stop(): void;
}

/** Stores prompts and answers of the models and keys that have `logContent`. */
export type ContentPart = GatewayPart<ContentService>;
/** Tells the host about used spend limits and low balances. */
export type NoticesPart = GatewayPart<NoticeService>;
/** Stores responses of the Responses API for their account. */
export type ResponsesPart = GatewayPart<ResponseService>;
/** Records one row for each request that may call a model. */
export type UsagePart = GatewayPart<UsageService>;

/** The parts of a gateway, each by the option that it is passed as. */
export interface GatewayParts {
  readonly content?: ContentPart;
  readonly notices?: NoticesPart;
  readonly responses?: ResponsesPart;
  readonly usage?: UsagePart;
}
