import type { WebhookRunner } from "@tollgate/core/extension";
import type { OpenApiDocument } from "@tollgate/core/openapi";
import type { SessionStore } from "@tollgate/core/store";
import type { AssistantConfig } from "../definition/assistant-config.ts";

/** The limits of one turn. */
export interface TurnOptions {
  /** Model calls that may request triggers. One more may follow, which may not. Default: 8. */
  readonly maxRounds?: number;
  /** Webhooks per turn. Default: 16. */
  readonly maxWebhooks?: number;
  /** Webhooks that run concurrently. Default: 4. */
  readonly parallelWebhooks?: number;
  /** Timeout of one webhook, from DNS lookup to the end of its response, in milliseconds. Default: 20,000. */
  readonly webhookMs?: number;
  /** Total time of all webhooks of a turn, in milliseconds. Default: 60,000. */
  readonly webhooksMs?: number;
  /** How long a turn's lock on its session lasts without renewal, in milliseconds. Default: 60,000. */
  readonly leaseMs?: number;
  /** Maximum number of messages that are loaded from earlier turns. Default: 1,000. */
  readonly historyLimit?: number;
  /** Maximum bytes of earlier turns that are loaded, as JSON. The newest turn is always loaded. Default: 2,097,152. */
  readonly historyBytes?: number;
  /** Total bytes of the image URLs of one session. A message that would exceed it gets 413. Default: 20,971,520. */
  readonly imageBytes?: number;
}

/** The options of `assistants`. */
export interface AssistantOptions {
  /** The assistants, or a function that returns the current list. */
  readonly list: readonly AssistantConfig[] | (() => readonly AssistantConfig[]);
  readonly sessions: SessionStore;
  /** Sends webhooks. On Node, pass `webhookRunner()` of `@tollgate/node`. */
  readonly runner: WebhookRunner;
  readonly turns?: TurnOptions;
  /** How long a session lives after its last use, in milliseconds. Default: 2,592,000,000 (30 days). */
  readonly sessionTtlMs?: number;
  /** Maximum number of sessions per account. Beyond it, a new session gets 403 `session_limit_reached`. Default: 100,000. */
  readonly maxSessionsPerAccount?: number;
  /**
   * Maximum bytes of client data, messages, images and logs in all sessions of an account. Beyond it, new sessions,
   * messages and client data get 403 `session_limit_reached`. A turn that has begun is always stored in full. Default:
   * 1,073,741,824 (1 GiB).
   */
  readonly maxSessionBytesPerAccount?: number;
  /** Maximum body of a request that creates or updates a session, in bytes. Default: 1,048,576. */
  readonly maxFormBytes?: number;
  /** The mount point that `sessions.fetch` assumes when no adapter passes one. Default: "". */
  readonly basePath?: string;
  /** Served without a key at `/openapi.json` below the mount point: `sessionsApi` of `@tollgate/assistants/openapi`. Absent: it is not served. */
  readonly openapi?: OpenApiDocument;
}
