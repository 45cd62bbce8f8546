import { isJsonObject, isText, type JsonObject } from "../wire/json.ts";
import { isNoArguments, newCallId } from "../wire/tool-calls.ts";

interface KnownCall {
  readonly index: number;
  readonly id: string;
  /** True if the upstream sent no id and this one was generated. */
  readonly isGenerated: boolean;
  /** What it has of arguments that may be none; undefined once it has some. */
  held: string | undefined;
}

/**
 * Normalizes the tool-call pieces of one choice. Every piece gets an `index`, and the first piece of each call an `id` and
 * a `type`. If an upstream uses one index for two calls, the second call gets the next free index. Arguments that are empty
 * or `null` become `{}` when the calls are closed.
 */
export class ToolCallNormalizer {
  readonly #calls: KnownCall[] = [];
  readonly #byId = new Map<string, KnownCall>();
  readonly #byUpstreamIndex = new Map<number, KnownCall>();
  readonly #taken = new Set<number>();
  #nextIndex = 0;
  /** True if a piece of the last frame has no more than arguments that are held back, since they may be none. */
  heldBack = false;

  /** The number of calls so far. */
  get count(): number {
    return this.#calls.length;
  }

  /** Normalizes the pieces of one frame. Drops pieces that are not objects. */
  normalize(pieces: readonly unknown[]): JsonObject[] {
    this.heldBack = false;
    return pieces.filter(isJsonObject).map((piece, position, all) => this.#normalizePiece(piece, position, all.length));
  }

  /** Returns the arguments of the calls that have none, and those that are held back, once. */
  close(): JsonObject[] {
    const missing: JsonObject[] = [];
    for (const call of this.#calls) {
      const { held, index } = call;
      if (held === undefined) continue;
      call.held = undefined;
      missing.push({ index, function: { arguments: isNoArguments(held) ? "{}" : held } });
    }
    return missing;
  }

  #normalizePiece(piece: JsonObject, position: number, pieces: number): JsonObject {
    const known = this.#find(piece, position, pieces);
    const call = known ?? this.#begin(piece);
    const { index: _, ...rest } = this.#normalizeArguments(piece, call);
    const { id, index } = call;
    this.heldBack ||= isText(call.held) && !hasName(piece);
    if (known !== undefined) {
      const { id: sentId, ...others } = rest;
      return { index, ...(isText(sentId) && sentId !== id ? others : rest) };
    }
    const beginning = { id, type: isText(piece["type"]) ? piece["type"] : "function" };
    return { index, ...beginning, ...rest, ...beginning };
  }

  /** Some upstreams send the arguments as an object, but clients concatenate text. */
  #normalizeArguments(piece: JsonObject, call: KnownCall): JsonObject {
    const called = piece["function"];
    if (!isJsonObject(called)) return piece;
    const { arguments: args } = called;
    const text = isJsonObject(args) ? JSON.stringify(args) : args;
    const shown = typeof text === "string" && call.held !== undefined ? this.#show(text, call) : text;
    return shown === args ? piece : { ...piece, function: { ...called, arguments: shown } };
  }

  #show(text: string, call: KnownCall): string {
    const all = `${call.held ?? ""}${text}`;
    const isHeld = "null".startsWith(all.trim());
    call.held = isHeld ? all : undefined;
    return isHeld ? "" : all;
  }

  #find(piece: JsonObject, position: number, pieces: number): KnownCall | undefined {
    const { id, index } = piece;
    const isNamed = hasName(piece);
    if (isIndex(index)) {
      const call = this.#byUpstreamIndex.get(index);
      const another = call !== undefined && !call.isGenerated && isNamed && isText(id) && id !== call.id;
      return another ? undefined : call;
    }
    if (isText(id)) return this.#byId.get(id);
    if (isNamed) return undefined;
    return pieces > 1 ? this.#calls[position] : this.#calls.at(-1);
  }

  #begin(piece: JsonObject): KnownCall {
    const upstreamId = isText(piece["id"]) ? piece["id"] : undefined;
    const wanted = isIndex(piece["index"]) ? piece["index"] : this.#nextIndex;
    const call = {
      index: this.#taken.has(wanted) ? this.#nextIndex : wanted,
      id: upstreamId ?? newCallId(),
      isGenerated: upstreamId === undefined,
      held: "",
    };
    this.#calls.push(call);
    this.#byId.set(call.id, call);
    this.#byUpstreamIndex.set(wanted, call);
    this.#taken.add(call.index);
    this.#nextIndex = Math.max(this.#nextIndex, call.index + 1);
    return call;
  }
}

const hasName = ({ function: called }: JsonObject): boolean => isJsonObject(called) && isText(called["name"]);

/** True for a valid index of a choice or tool call. */
export const isIndex = (value: unknown): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value < 1_000_000_000;
