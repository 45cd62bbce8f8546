/** The method that is called on a JetStream client of `@nats-io/jetstream`: `jetstream(connection)`. */
export interface JetStreamPublisher {
  /** Resolves when the server has stored the message, or knows its id. */
  publish(subject: string, payload: string, options: { msgID: string }): Promise<unknown>;
}

/** The methods that are called on a bucket of `@nats-io/kv`. */
export interface KeyValueBucket {
  get(key: string): Promise<{ string(): string } | null>;
  put(key: string, value: string): Promise<unknown>;
}
