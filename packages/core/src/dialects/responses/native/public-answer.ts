import type { ModelTarget } from "../../../ports/model.ts";
import type { Held } from "../../../request/request-stages.ts";
import { isJsonObject, type JsonObject } from "../../../wire/json.ts";
import { headOf } from "../answer/response-object.ts";
import { sealItem } from "../request/encrypted-content.ts";

/** Puts what the gateway says in place of what an upstream says, in its responses and its events. */
export class PublicAnswer {
  readonly #members: JsonObject;
  readonly #provider: ModelTarget["provider"];

  constructor(held: Pick<Held, "id" | "startedAt" | "model" | "content">, { provider }: Pick<ModelTarget, "provider">) {
    const { model, echo } = headOf(held);
    this.#members = { model, store: echo.members.store, previous_response_id: echo.members.previous_response_id };
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
