import { isJsonObject, isText, type JsonObject } from "../wire/json.ts";

interface KnownCall {
  readonly index: number;
  readonly id: string;
  /** True if the upstream sent no id and this one was generated. */
  readonly isGenerated: boolean;
}

/**
 * Normalizes the tool-call pieces of one choice. Every piece gets an `index`, and the first piece of each call an `id` and
 * a `type`. If an upstream uses one index for two calls, the second call gets the next free index.
 */
export class ToolCallNormalizer {
  readonly #calls: KnownCall[] = [];
  readonly #byId = new Map<string, KnownCall>();
  readonly #byUpstreamIndex = new Map<number, KnownCall>();
  readonly #taken = new Set<number>();
  #nextIndex = 0;

  /** The number of calls so far. */
  get count(): number {
    return this.#calls.length;
  }

  /** Normalizes the pieces of one frame. Drops pieces that are not objects. */
  normalize(pieces: readonly unknown[]): JsonObject[] {
    return pieces.filter(isJsonObject).map((piece, position, all) => this.#normalizePiece(piece, position, all.length));
  }

  #normalizePiece(piece: JsonObject, position: number, pieces: number): JsonObject {
    const { index: _, ...rest } = normalizeArguments(piece);
    const known = this.#find(piece, position, pieces);
    if (known !== undefined) {
      const { id, ...others } = rest;
      return { index: known.index, ...(isText(id) && id !== known.id ? others : rest) };
    }
    const { index, id } = this.#begin(piece);
    const beginning = { id, type: isText(piece["type"]) ? piece["type"] : "function" };
    return { index, ...beginning, ...rest, ...beginning };
  }

  #find(piece: JsonObject, position: number, pieces: number): KnownCall | undefined {
    const { id, index } = piece;
    const hasName = isJsonObject(piece["function"]) && isText(piece["function"]["name"]);
    if (isIndex(index)) {
      const call = this.#byUpstreamIndex.get(index);
      const another = call !== undefined && !call.isGenerated && hasName && isText(id) && id !== call.id;
      return another ? undefined : call;
    }
    if (isText(id)) return this.#byId.get(id);
    if (hasName) return undefined;
    return pieces > 1 ? this.#calls[position] : this.#calls.at(-1);
  }

  #begin(piece: JsonObject): KnownCall {
    const upstreamId = isText(piece["id"]) ? piece["id"] : undefined;
    const wanted = isIndex(piece["index"]) ? piece["index"] : this.#nextIndex;
    const call = {
      index: this.#taken.has(wanted) ? this.#nextIndex : wanted,
      id: upstreamId ?? `call_${crypto.randomUUID().replaceAll("-", "")}`,
      isGenerated: upstreamId === undefined,
    };
    this.#calls.push(call);
    this.#byId.set(call.id, call);
    this.#byUpstreamIndex.set(wanted, call);
    this.#taken.add(call.index);
    this.#nextIndex = Math.max(this.#nextIndex, call.index + 1);
    return call;
  }
}

/** True for a valid index of a choice or tool call. */
export const isIndex = (value: unknown): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value < 1_000_000_000;

/** Some upstreams send the arguments as an object, but clients concatenate text. */
function normalizeArguments(piece: JsonObject): JsonObject {
  const called = piece["function"];
  if (!isJsonObject(called) || !isJsonObject(called["arguments"])) return piece;
  return { ...piece, function: { ...called, arguments: JSON.stringify(called["arguments"]) } };
}
