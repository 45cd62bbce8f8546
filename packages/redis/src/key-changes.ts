import {
  ChangeListeners,
  type KeyAdmin,
  type KeyChanges,
  type KeyQuery,
  type KeyStore,
  type NewKey,
} from "@tollgate/core/store";
import { type KeyChangeSubscriber, listenTo } from "./channel.ts";
import { describeError, notifyObserver } from "./outage.ts";
import { withTimeout } from "./with-timeout.ts";

const unsubscribeMs = 1_000;

/** A client of `redis` or `ioredis` that publishes messages. It can be the client of the limiter. */
export interface KeyChangePublisher {
  publish(channel: string, message: string): Promise<unknown>;
}

/** The options of {@link shareKeyChanges}. */
export interface ShareKeyChangesOptions {
  readonly publisher: KeyChangePublisher;
  /** A different connection than the publisher's: Redis accepts few other commands on a connection that subscribes. */
  readonly subscriber: KeyChangeSubscriber;
  /** The Pub/Sub channel, which must be the same in all processes. The default is "tollgate:key-changes". */
  readonly channel?: string;
  /** Receives an event for each failure. Errors that it throws are ignored. */
  readonly observer?: (event: KeyChangesEvent) => void;
}

/**
 * A change was not published or not received. Until the connection is restored, changes take effect when cached keys
 * expire, within 30 s.
 */
export interface KeyChangesEvent {
  readonly type: "key-changes.failed";
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  readonly during: "publish" | "subscribe" | "tell";
  /** An error message without secrets. */
  readonly reason: string;
}

/** A key store whose changes reach all processes. */
export interface SharedKeys extends KeyStore, KeyAdmin {
  /** Ends the subscription and leaves both clients open. Listeners are still notified of changes by this process. */
  close(): Promise<void>;
}

/**
 * Wraps a key store so that its changes are published to every process with the same channel, as ids of keys: a gateway
 * refuses a key as soon as another process has revoked it. Redis can lose messages, so each (re)connection notifies the
 * listeners that any key may have changed. A change never fails because of Redis.
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
  readonly #unsubscribe: () => Promise<void>;
  #closed = false;
  readonly onChange = this.#listeners.add;

  constructor(keys: KeyStore & KeyAdmin, options: ShareKeyChangesOptions) {
    this.#keys = keys;
    this.#options = options;
    this.#channel = options.channel ?? "tollgate:key-changes";
    keys.onChange((keyId) => {
      this.#listeners.notify(keyId);
      if (!this.#closed) void this.#publish(keyId);
    });
    this.#unsubscribe = listenTo(options.subscriber, this.#channel, {
      message: (message) => this.#receive(message),
      subscribed: () => this.#notify(undefined),
      failed: (failure) => this.#report("subscribe", failure),
    });
  }

  find(presented: string): ReturnType<KeyStore["find"]> {
    return this.#keys.find(presented);
  }

  create(newKey: NewKey): ReturnType<KeyAdmin["create"]> {
    return this.#keys.create(newKey);
  }

  createWithin(newKey: NewKey, most: number): ReturnType<KeyAdmin["createWithin"]> {
    return this.#keys.createWithin(newKey, most);
  }

  get(keyId: string): ReturnType<KeyAdmin["get"]> {
    return this.#keys.get(keyId);
  }

  list(query: KeyQuery): ReturnType<KeyAdmin["list"]> {
    return this.#keys.list(query);
  }

  accountsWithKeys(query: Parameters<KeyAdmin["accountsWithKeys"]>[0]): ReturnType<KeyAdmin["accountsWithKeys"]> {
    return this.#keys.accountsWithKeys(query);
  }

  update(keyId: string, changes: KeyChanges): ReturnType<KeyAdmin["update"]> {
    return this.#keys.update(keyId, changes);
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
      await withTimeout(unsubscribeMs, this.#unsubscribe());
    } catch {
      // Without a connection there is no subscription to end, and a client can wait for a connection forever.
    }
  }

  async #publish(keyId: string | undefined): Promise<void> {
    try {
      await this.#options.publisher.publish(this.#channel, `${this.#origin}:${keyId ?? ""}`);
    } catch (failure) {
      this.#report("publish", failure);
    }
  }

  #receive(message: string): void {
    const [, origin, keyId] = /^([0-9a-f-]{36}):(.*)$/s.exec(message) ?? [];
    // A message without a readable id can concern any key.
    if (origin !== this.#origin) this.#notify(keyId || undefined);
  }

  /**
   * Notifies the listeners. Catches their errors, which would break the connection of the subscriber that calls this.
   */
  #notify(keyId: string | undefined): void {
    if (this.#closed) return;
    try {
      this.#listeners.notify(keyId);
    } catch (failure) {
      this.#report("tell", failure);
    }
  }

  #report(during: KeyChangesEvent["during"], failure: unknown): void {
    const reason = describeError(failure);
    notifyObserver(this.#options.observer, { type: "key-changes.failed", at: Date.now(), during, reason });
  }
}
