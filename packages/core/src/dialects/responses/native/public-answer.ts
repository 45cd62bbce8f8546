import type { ModelTarget } from "../../../ports/model.ts";
import type { Held } from "../../../request/request-stages.ts";
import { isJsonObject, type JsonObject } from "../../../wire/json.ts";
import { sealItem } from "../request/encrypted-content.ts";
import { ResponsesNativeRequest } from "../request/native-request.ts";

/** What is said of a request that was released. */
const unstored = { store: false, previousId: null };

/** Puts what the gateway says in place of what an upstream says, in its responses and its events. */
export class PublicAnswer {
  readonly #members: JsonObject;
  readonly #provider: ModelTarget["provider"];

  constructor(held: Pick<Held, "model" | "content">, { provider }: Pick<ModelTarget, "provider">) {
    const { native } = held.content;
    const state = native instanceof ResponsesNativeRequest ? native : unstored;
    this.#members = { model: held.model.id, store: state.store, previous_response_id: state.previousId };
    this.#provider = provider;
  }

  /** Returns a response as the client gets it: under the public model id, with sealed reasoning, and without the upstream's billing. */
  response({ billing: _, ...response }: JsonObject): JsonObject {
    const { output } = response;
    const sealed = Array.isArray(output) ? { output: output.map((item) => sealItem(item, this.#provider)) } : {};
    return { ...response, ...this.#members, ...sealed };
  }

  /** Returns an event as the client gets it, or undefined if it needs no change. */
  event(event: JsonObject): JsonObject | undefined {
    const { response, item } = event;
    if (isJsonObject(response)) return { ...event, response: this.response(response) };
    const sealed = sealItem(item, this.#provider);
    return sealed === item ? undefined : { ...event, item: sealed };
  }
}
