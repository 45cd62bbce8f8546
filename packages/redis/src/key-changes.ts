import type { KeyAdmin, KeyStore, NewKey } from "@tollgate/core/store";
import { ChangeListeners } from "@tollgate/core/store";
import { type KeyChangeSubscriber, listenTo } from "./channel.ts";
import { describeError } from "./describe-error.ts";
import { tellObserver } from "./tell-observer.ts";
import { withinTime } from "./within-time.ts";

const unsubscribeMs = 1_000;

/** Sends messages: a client of `redis` or `ioredis`, also the one that counts limits. */
export interface KeyChangePublisher {
  publish(channel: string, message: string): Promise<unknown>;
}

/** How key changes reach other processes. */
export interface ShareKeyChangesOptions {
  readonly publisher: KeyChangePublisher;
  /** Another connection than the publisher's: Redis lets one that subscribes do little else. */
  readonly subscriber: KeyChangeSubscriber;
  /** The Pub/Sub channel, which all processes share; "tollgate:key-changes" when absent. */
  readonly channel?: string;
  /** Learns what could not be shared. What it throws is swallowed. */
  readonly observer?: (event: KeyChangesEvent) => void;
}

/** A change was not told, or none is heard until the connection is made again: caches then end after their 30 s. */
export interface KeyChangesEvent {
  readonly type: "key-changes.failed";
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  readonly during: "publish" | "subscribe" | "tell";
  /** Why, in words without secrets. */
  readonly reason: string;
}

/** Keys whose changes reach all processes. */
export interface SharedKeys extends KeyStore, KeyAdmin {
  /** Ends the sharing and leaves both clients open. Listeners of this process still learn of its own changes. */
  close(): Promise<void>;
}

/**
 * The same keys, whose changes are told to every process that shares the channel, by the ids of keys alone: a gateway
 * that has them refuses at once what another process revoked. Since Redis may lose messages, any key may have changed
 * whenever a connection was made (again); and a change never fails because of Redis.
 */
export function shareKeyChanges(keys: KeyStore & KeyAdmin, options: ShareKeyChangesOptions): SharedKeys {
  return new KeysWithSharedChanges(keys, options);
}

class KeysWithSharedChanges implements SharedKeys {
  readonly #keys: KeyStore & KeyAdmin;
  readonly #options: ShareKeyChangesOptions;
  readonly #channel: string;
  readonly #origin = crypto.randomUUID();
  readonly #listeners = new ChangeListeners();
  readonly #endListening: () => Promise<void>;
  #closed = false;
  readonly onChange = this.#listeners.add;

  constructor(keys: KeyStore & KeyAdmin, options: ShareKeyChangesOptions) {
    this.#keys = keys;
    this.#options = options;
    this.#channel = options.channel ?? "tollgate:key-changes";
    keys.onChange((keyId) => {
      this.#listeners.tell(keyId);
      if (!this.#closed) void this.#publish(keyId);
    });
    this.#endListening = listenTo(options.subscriber, this.#channel, {
      message: (message) => this.#hear(message),
      subscribed: () => this.#tell(undefined),
      failed: (failure) => this.#report("subscribe", failure),
    });
  }

  find(presented: string): ReturnType<KeyStore["find"]> {
    return this.#keys.find(presented);
  }

  create(wanted: NewKey): ReturnType<KeyAdmin["create"]> {
    return this.#keys.create(wanted);
  }

  list(query: Parameters<KeyAdmin["list"]>[0]): ReturnType<KeyAdmin["list"]> {
    return this.#keys.list(query);
  }

  revoke(keyId: string): ReturnType<KeyAdmin["revoke"]> {
    return this.#keys.revoke(keyId);
  }

  rotate(keyId: string, options: { readonly graceMs: number }): ReturnType<KeyAdmin["rotate"]> {
    return this.#keys.rotate(keyId, options);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    try {
      await withinTime(unsubscribeMs, this.#endListening());
    } catch {
      // Without a connection there is no subscription to end, and a client may wait for one for ever.
    }
  }

  async #publish(keyId: string | undefined): Promise<void> {
    try {
      await this.#options.publisher.publish(this.#channel, `${this.#origin}:${keyId ?? ""}`);
    } catch (failure) {
      this.#report("publish", failure);
    }
  }

  #hear(message: string): void {
    const [, origin, keyId] = /^([0-9a-f-]{36}):(.*)$/s.exec(message) ?? [];
    // Whoever sent what cannot be read may have meant any key.
    if (origin !== this.#origin) this.#tell(keyId || undefined);
  }

  /** Tells the listeners; called by the subscriber, whose connection what they throw would break. */
  #tell(keyId: string | undefined): void {
    if (this.#closed) return;
    try {
      this.#listeners.tell(keyId);
    } catch (failure) {
      this.#report("tell", failure);
    }
  }

  #report(during: KeyChangesEvent["during"], failure: unknown): void {
    const reason = describeError(failure);
    tellObserver(this.#options.observer, { type: "key-changes.failed", at: Date.now(), during, reason });
  }
}
