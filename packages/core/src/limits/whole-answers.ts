import type { ByteSink } from "../ports/byte-stream.ts";
import type { GatewayResponse, ResponseStream, UnreadResponses } from "../ports/gateway-response.ts";
import type { SharedTicker, Watched } from "../runtime/shared-ticker.ts";
import { encodeUtf8 } from "../wire/utf8.ts";
import type { BufferBudget } from "./buffer-budget.ts";

/** Bytes of one piece; shorter answers are written at once. */
const pieceBytes = 65_536;

/** A client that took nothing for so long gives way when there is no room for another. */
const idleMs = 1_000;

/**
 * The answers in one piece that clients have not read to their end. Their unread bytes count against the budget of
 * streams; a client that takes nothing for too long is cut, and while the budget is exceeded whoever took nothing for
 * longest, or else the answer that came last.
 */
export class WholeAnswers implements UnreadResponses, Watched {
  position = -1;
  readonly stalledMs: number;
  readonly #budget: BufferBudget;
  readonly #ticker: SharedTicker;
  readonly #unread = new Set<Unread>();

  constructor(budget: BufferBudget, ticker: SharedTicker, stalledMs: number) {
    this.#budget = budget;
    this.#ticker = ticker;
    this.stalledMs = stalledMs;
  }

  paced(answer: GatewayResponse): GatewayResponse {
    const { body } = answer;
    if (typeof body !== "string" || body.length <= pieceBytes) return answer;
    return { ...answer, body: new PacedText(this, body) };
  }

  watch(bytes: number, cut: () => void): () => void {
    const unread = this.hold(bytes, cut);
    return () => unread.end();
  }

  /** Counts bytes that a client has yet to take; `cut` is called, perhaps at once, when they have to go. */
  hold(bytes: number, cut: () => void): Unread {
    if (this.#unread.size === 0) this.#ticker.add(this);
    const unread = new Unread(bytes, cut, this.#budget, this.#drop);
    this.#unread.add(unread);
    while (this.#budget.exceeded && unread.isHeld) (this.#idlest(unread.movedAt) ?? unread).cut();
    return unread;
  }

  tick(now: number): void {
    for (const unread of this.#unread) if (now - unread.movedAt >= this.stalledMs) unread.cut();
    // Streams may have filled the budget since.
    while (this.#budget.exceeded) {
      const idlest = this.#idlest(now);
      if (idlest === undefined) return;
      idlest.cut();
    }
  }

  #idlest(now: number): Unread | undefined {
    let idlest: Unread | undefined;
    for (const unread of this.#unread) {
      if (now - unread.movedAt >= idleMs && unread.movedAt < (idlest?.movedAt ?? now)) idlest = unread;
    }
    return idlest;
  }

  readonly #drop = (unread: Unread): void => {
    this.#unread.delete(unread);
    if (this.#unread.size === 0) this.#ticker.delete(this);
  };
}

/** What one client has yet to take of an answer. */
class Unread {
  movedAt = Date.now();
  isHeld = true;
  #bytes: number;
  readonly #cut: () => void;
  readonly #budget: BufferBudget;
  readonly #drop: (unread: Unread) => void;

  constructor(bytes: number, cut: () => void, budget: BufferBudget, drop: (unread: Unread) => void) {
    this.#bytes = bytes;
    this.#cut = cut;
    this.#budget = budget;
    this.#drop = drop;
    budget.take(bytes);
  }

  /** The client took some. */
  take(bytes: number): void {
    if (!this.isHeld) return;
    this.movedAt = Date.now();
    this.#bytes -= bytes;
    this.#budget.take(-bytes);
  }

  /** Nothing is held any more. Idempotent. */
  end(): void {
    if (!this.isHeld) return;
    this.isHeld = false;
    this.#budget.take(-this.#bytes);
    this.#drop(this);
  }

  cut(): void {
    if (!this.isHeld) return;
    this.end();
    this.#cut();
  }
}

/** A long text that is given out piece by piece, as the client takes it. Each piece is freed when it has been taken. */
class PacedText implements ResponseStream {
  readonly #answers: WholeAnswers;
  readonly #pieces: Uint8Array[];
  #sink: ByteSink | undefined;
  #unread: Unread | undefined;
  /** Bytes of the piece that was written last and that the client has yet to take. */
  #given = 0;
  #isWriting = false;
  #wantsMore = false;

  constructor(answers: WholeAnswers, text: string) {
    this.#answers = answers;
    this.#pieces = split(encodeUtf8(text));
  }

  get stalledMs(): number {
    return this.#answers.stalledMs;
  }

  pipeTo(sink: ByteSink): void {
    this.#sink = sink;
    const bytes = this.#pieces.reduce((sum, { length }) => sum + length, 0);
    this.#unread = this.#answers.hold(bytes, () => this.#cut());
    this.#write();
  }

  onDrain(): void {
    this.#unread?.take(this.#given);
    this.#given = 0;
    // A sink that takes a piece at once says so while it is written.
    if (this.#isWriting) this.#wantsMore = true;
    else this.#write();
  }

  cancel(): void {
    this.#sink = undefined;
    this.#pieces.length = 0;
    this.#unread?.end();
  }

  #write(): void {
    this.#isWriting = true;
    do {
      this.#wantsMore = false;
      this.#writeOne();
    } while (this.#wantsMore);
    this.#isWriting = false;
  }

  #writeOne(): void {
    const sink = this.#sink;
    if (sink === undefined) return;
    const piece = this.#pieces.shift();
    if (piece === undefined) {
      this.cancel();
      sink.close();
    } else {
      this.#given = piece.length;
      sink.write(piece);
    }
  }

  #cut(): void {
    const sink = this.#sink;
    this.cancel();
    sink?.fail(new Error("The client took nothing for too long, or there was no room for what it left unread."));
  }
}

/** As copies, so that each can be freed by itself. */
function split(bytes: Uint8Array): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    pieces.push(new Uint8Array(bytes.subarray(at, at + pieceBytes)));
  }
  return pieces;
}
