import type { PostgresListener } from "./listener.ts";

const firstWaitMs = 100;
const longestWaitMs = 5_000;

/**
 * Hears of the keys that other processes change, on a connection of its own. Notifications are lost while there is no
 * connection, so whenever one breaks and whenever one is back, any key may have changed.
 */
export class KeyNotifications {
  readonly #open: () => Promise<PostgresListener>;
  readonly #channel: string;
  readonly #listener: (keyId: string | undefined) => void;
  #client: PostgresListener | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  constructor(open: () => Promise<PostgresListener>, channel: string, tell: (keyId: string | undefined) => void) {
    this.#open = open;
    this.#channel = channel;
    this.#listener = tell;
  }

  /** Resolves when this process hears of changes; rejects when the connection cannot be made. */
  async start(): Promise<void> {
    const client = await this.#open();
    // First of all: an error event that nobody listens to ends the process, also of a client that is no longer used.
    client.on("error", () => this.#lose(client));
    client.on("end", () => this.#lose(client));
    client.on("notification", ({ channel, payload }) => {
      if (channel === this.#channel) this.#tell(payload);
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

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    const client = this.#client;
    this.#client = undefined;
    await client?.end();
  }

  /** What a listener throws must end neither the process nor the hearing. */
  #tell(keyId: string | undefined): void {
    try {
      this.#listener(keyId);
    } catch {
      // It is the listener's to tell; all others have heard.
    }
  }

  /** A connection breaks once, whatever its client says of it and how often. */
  #lose(client: PostgresListener): void {
    if (client !== this.#client) return;
    this.#client = undefined;
    endQuietly(client);
    this.#tell(undefined);
    this.#startAgain(firstWaitMs);
  }

  #startAgain(wait: number): void {
    this.#retry = setTimeout(
      () => {
        this.start().then(
          () => this.#tell(undefined),
          () => this.#closed || this.#startAgain(Math.min(2 * wait, longestWaitMs)),
        );
      },
      wait * (0.75 + 0.5 * Math.random()),
    ).unref();
  }
}

function endQuietly(client: PostgresListener): void {
  client.end().catch(() => undefined);
}
