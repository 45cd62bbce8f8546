import type { PostgresListener } from "./pool.ts";

const initialWaitMs = 100;
const longestWaitMs = 5_000;

/**
 * Receives notifications of the keys that other processes change, on a separate connection. Notifications are lost
 * while it is disconnected, so it reports that any key may have changed when the connection is lost and when it is
 * back.
 */
export class KeyNotifications {
  readonly #open: () => Promise<PostgresListener>;
  readonly #channel: string;
  readonly #listener: (keyId: string | undefined) => void;
  #client: PostgresListener | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  constructor(open: () => Promise<PostgresListener>, channel: string, listener: (keyId: string | undefined) => void) {
    this.#open = open;
    this.#channel = channel;
    this.#listener = listener;
  }

  /** Resolves when this process receives notifications. Rejects when it cannot connect. */
  async start(): Promise<void> {
    const client = await this.#open();
    // Before anything else: an error event without a listener ends the process, even for a client that is no longer
    // used.
    client.on("error", () => this.#lose(client));
    client.on("end", () => this.#lose(client));
    client.on("notification", ({ channel, payload }) => {
      if (channel === this.#channel) this.#notify(payload);
    });
    try {
      await client.query({ text: `LISTEN "${this.#channel}"` });
    } catch (cause) {
      endQuietly(client);
      throw cause;
    }
    if (this.#closed) return endQuietly(client);
    this.#client = client;
  }

  /** Starts, or keeps trying in the background after a failure that may pass. */
  async startOrRetry(mayPass: (error: unknown) => boolean): Promise<void> {
    await this.start().catch((error: unknown) => {
      if (!mayPass(error)) throw error;
      this.#reconnect(initialWaitMs);
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    const client = this.#client;
    this.#client = undefined;
    await client?.end();
  }

  /** An error in the listener must neither end the process nor stop the notifications. */
  #notify(keyId: string | undefined): void {
    try {
      this.#listener(keyId);
    } catch {
      // The listener handles its own errors. All other listeners have been called.
    }
  }

  /** Handles the loss of a connection once, although its client can emit several events for it. */
  #lose(client: PostgresListener): void {
    if (client !== this.#client) return;
    this.#client = undefined;
    endQuietly(client);
    this.#notify(undefined);
    this.#reconnect(initialWaitMs);
  }

  #reconnect(wait: number): void {
    this.#retry = setTimeout(
      () => {
        this.start().then(
          () => this.#notify(undefined),
          () => this.#closed || this.#reconnect(Math.min(2 * wait, longestWaitMs)),
        );
      },
      wait * (0.75 + 0.5 * Math.random()),
    ).unref();
  }
}

function endQuietly(client: PostgresListener): void {
  client.end().catch(() => undefined);
}
