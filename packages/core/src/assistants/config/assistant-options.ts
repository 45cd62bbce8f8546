import type { SessionStore } from "../../ports/session-store.ts";
import type { WebhookRunner } from "../../ports/webhook-runner.ts";
import type { AssistantConfig } from "../definition/assistant-config.ts";

/** How far one turn may go. */
export interface TurnOptions {
  /** Calls of the model that may call triggers; one more follows, which may not. 8. */
  readonly maxRounds?: number;
  /** Webhooks of one turn; 16. */
  readonly maxWebhooks?: number;
  /** Webhooks at once; 4. */
  readonly parallelWebhooks?: number;
  /** One webhook, from name look-up to the end of its answer, in milliseconds; 20,000. */
  readonly webhookMs?: number;
  /** All webhooks of a turn together, in milliseconds; 60,000. */
  readonly webhooksMs?: number;
  /** Life of a turn's lock without a renewal, in milliseconds; 60,000. */
  readonly leaseMs?: number;
  /** Messages of earlier turns that are read at most; 1,000. */
  readonly historyLimit?: number;
  /** Bytes of earlier turns that are read at most, as JSON; the newest turn is read whatever its size. 2,097,152. */
  readonly historyBytes?: number;
  /** Bytes of the images of one session together, which `$images` holds; a message with more is 413. 20,971,520. */
  readonly imageBytes?: number;
}

/** What makes a gateway one with assistants. */
export interface AssistantOptions {
  /** The assistants, or a function that gives the current list. */
  readonly list: readonly AssistantConfig[] | (() => readonly AssistantConfig[]);
  readonly sessions: SessionStore;
  /** Sends webhooks. On Node, pass `webhookRunner()` of `@tollgate/node`. */
  readonly runner: WebhookRunner;
  readonly turns?: TurnOptions;
  /** How long a session lives after its last use, in milliseconds; 2,592,000,000 (30 days). */
  readonly sessionTtlMs?: number;
  /** Sessions that an account has at most; further ones are 403 `session_limit_reached`. 100,000. */
  readonly maxSessionsPerAccount?: number;
  /**
   * Bytes of client data, messages, images and logs that the sessions of an account have at most; further sessions,
   * messages and client data are 403 `session_limit_reached`. A turn that has begun is kept whole. 1,073,741,824 (1 GiB).
   */
  readonly maxSessionBytesPerAccount?: number;
  /** Largest body of a request that makes or changes a session, in bytes; 1,048,576. */
  readonly maxFormBytes?: number;
  /** The path under which `sessions.fetch` finds its endpoints when no adapter says so; "". */
  readonly basePath?: string;
}
