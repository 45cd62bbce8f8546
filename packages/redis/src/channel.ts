/**
 * A client of `redis` (node-redis) with a connection of its own for subscriptions, as `client.duplicate()` makes it.
 * The host connects it, listens to its `error` event, and closes it.
 */
export interface NodeRedisSubscriber {
  subscribe(channel: string, listener: (message: string) => void): Promise<unknown>;
  unsubscribe(channel: string, listener: (message: string) => void): Promise<unknown>;
  on(event: "ready", listener: () => void): unknown;
  off(event: "ready", listener: () => void): unknown;
}

/** A client of `ioredis` with a connection of its own for subscriptions. The host listens to its `error` event, and closes it. */
export interface IoRedisSubscriber {
  /** Where the connection stands; tells this client from the other. */
  readonly status: string;
  subscribe(channel: string): Promise<unknown>;
  unsubscribe(channel: string): Promise<unknown>;
  on(event: "ready", listener: () => void): unknown;
  on(event: "message", listener: (channel: string, message: string) => void): unknown;
  off(event: "ready", listener: () => void): unknown;
  off(event: "message", listener: (channel: string, message: string) => void): unknown;
}

/** Either client of Redis, with a connection of its own for subscriptions. */
export type KeyChangeSubscriber = NodeRedisSubscriber | IoRedisSubscriber;

/** What happens on a channel. */
export interface ChannelEvents {
  readonly message: (message: string) => void;
  /** Messages come from now on; those before, if any, were missed. */
  readonly subscribed: () => void;
  readonly failed: (failure: unknown) => void;
}

/** Listens to a channel from now on, through every loss of the connection; gives back what ends it. */
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
  // Both clients subscribe again by themselves, but do not tell when that has taken effect: the answer to this call does.
  subscriber.on("ready", subscribe);
  void subscribe();
  return async () => {
    subscriber.off("ready", subscribe);
    await subscription.unsubscribe();
  };
}

interface Subscription {
  /** Can be repeated at any time. */
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
  const hear = (from: string, message: string): void => {
    if (from === channel) listener(message);
  };
  subscriber.on("message", hear);
  return {
    subscribe: () => subscriber.subscribe(channel),
    unsubscribe: () => {
      subscriber.off("message", hear);
      return subscriber.unsubscribe(channel);
    },
  };
}
