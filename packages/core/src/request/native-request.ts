import type { GatewayError } from "../errors/gateway-error.ts";
import type { Model, ModelTarget } from "../ports/model.ts";
import type { Awaitable } from "../runtime/awaitable.ts";
import type { Changes, RequestText } from "../wire/forwarding/request-text.ts";

/** A request in a dialect other than chat completions, as the targets that speak its dialect receive it. */
export interface NativeRequest {
  /** The body as the client sent it. */
  readonly text: RequestText;
  /** The headers of the client that these targets receive, with lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** The members of the client's query that these targets receive. */
  readonly query: Readonly<Record<string, string>>;
  /** Why the request cannot be translated to a chat completion. Defined: it is sent only to targets that speak its dialect. */
  readonly untranslatable: GatewayError | undefined;
  /**
   * Returns the changes to the body for a target of a model: its model name, members that it must not receive, and
   * `outputCap`, the most output tokens; undefined: the maximum of the model.
   */
  changes(target: ModelTarget, outputCap: number | undefined, model: Model): Changes;
  /** Returns the names of what is left out of the request for a target with this cap, for the header `x-router-dropped`. */
  dropped(target: ModelTarget, isNative: boolean, outputCap: number | undefined): readonly string[];
  /**
   * Receives the answer as JSON when it has been charged, before the client gets the end of it, and returns what the client
   * gets. Undefined if nothing is done with it.
   */
  readonly onAnswer: ((json: string) => Awaitable<string>) | undefined;
}

const maxNames = 50;
const maxLength = 64;

/**
 * Returns what was left out of a request, each name once, for the header `x-router-dropped`. A client chooses the names of
 * unknown types, which a header must be able to hold.
 */
export const droppedNames = (names: readonly string[]): readonly string[] =>
  [...new Set(names.map((name) => name.slice(0, maxLength).replace(/[^\w.-]/g, "?")))].slice(0, maxNames);
