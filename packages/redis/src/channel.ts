/**
 * A client of `redis` (node-redis) with a separate connection for subscriptions, as `client.duplicate()` creates it.
 * The host connects it, listens to its `error` event, and closes it.
 */
export interface NodeRedisSubscriber {
  subscribe(channel: string, listener: (message: string) => void): Promise<unknown>;
  unsubscribe(channel: string, listener: (message: string) => void): Promise<unknown>;
  on(event: "ready", listener: () => void): unknown;
  off(event: "ready", listener: () => void): unknown;
}

/**
 * A client of `ioredis` with a separate connection for subscriptions. The host listens to its `error` event and closes
 * it.
 */
export interface IoRedisSubscriber {
  /** The state of the connection. Its presence distinguishes this client from node-redis. */
  readonly status: string;
  subscribe(channel: string): Promise<unknown>;
  unsubscribe(channel: string): Promise<unknown>;
  on(event: "ready", listener: () => void): unknown;
  on(event: "message", listener: (channel: string, message: string) => void): unknown;
  off(event: "ready", listener: () => void): unknown;
  off(event: "message", listener: (channel: string, message: string) => void): unknown;
}

/** A client of `redis` or `ioredis` with a separate connection for subscriptions. */
export type KeyChangeSubscriber = NodeRedisSubscriber | IoRedisSubscriber;

/** The callbacks of a subscription. */
export interface ChannelEvents {
  readonly message: (message: string) => void;
  /** The subscription is active. Earlier messages may have been missed. */
  readonly subscribed: () => void;
  readonly failed: (failure: unknown) => void;
}

/**
 * Subscribes to a channel, and again after each loss of the connection. Returns a function that ends the subscription.
 */
export function listenTo(subscriber: KeyChangeSubscriber, channel: string, events: ChannelEvents): () => Promise<void> {
  const subscription = subscriptionOf(subscriber, channel, events.message);
  const subscribe = async (): Promise<void> => {
    try {
      await subscription.subscribe();
      events.subscribed();
    } catch (failure) {
      events.failed(failure);
    }
  };
  // Both clients resubscribe automatically but do not report when the subscription is active. The reply to this call
  // does.
  subscriber.on("ready", subscribe);
  void subscribe();
  return async () => {
    subscriber.off("ready", subscribe);
    await subscription.unsubscribe();
  };
}

interface Subscription {
  /** Idempotent. */
  subscribe(): Promise<unknown>;
  unsubscribe(): Promise<unknown>;
}

function subscriptionOf(
  subscriber: KeyChangeSubscriber,
  channel: string,
  listener: (message: string) => void,
): Subscription {
  if (!("status" in subscriber)) {
    return {
      subscribe: () => subscriber.subscribe(channel, listener),
      unsubscribe: () => subscriber.unsubscribe(channel, listener),
    };
  }
  const onMessage = (from: string, message: string): void => {
    if (from === channel) listener(message);
  };
  subscriber.on("message", onMessage);
  return {
    subscribe: () => subscriber.subscribe(channel),
    unsubscribe: () => {
      subscriber.off("message", onMessage);
      return subscriber.unsubscribe(channel);
    },
  };
}
