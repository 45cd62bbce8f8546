import type { ModelTarget } from "../../../ports/model.ts";
import { AccountSigner } from "../../../request/account-signer.ts";
import type { PaidCall } from "../../../request/paid-call.ts";
import { isJsonObject, isText, type JsonObject } from "../../../wire/json.ts";
import { ResponseIds } from "../answer/output-items.ts";
import { sealItem } from "../request/encrypted-content.ts";
import { ResponsesNativeRequest } from "../request/native-request.ts";

/** What is said of a request that was released. */
const unstored = { store: false, previousId: null, clientIds: {}, signer: new AccountSigner([], "") };

/** Puts what the gateway says in place of what an upstream says, in its responses and its events. */
export class PublicAnswer {
  readonly #members: JsonObject;
  readonly #id: string;
  readonly #provider: ModelTarget["provider"];
  readonly #signer: AccountSigner;

  constructor(
    { exchange, model, call }: Pick<PaidCall, "exchange" | "model" | "call">,
    { provider }: Pick<ModelTarget, "provider">,
  ) {
    const { native } = call;
    const { store, previousId, clientIds, signer } = native instanceof ResponsesNativeRequest ? native : unstored;
    // An upstream may repeat its ids, so that a stored response could be continued by another end user.
    this.#id = new ResponseIds(exchange.id).response;
    this.#members = { id: this.#id, model: model.id, store, previous_response_id: previousId, ...clientIds };
    this.#provider = provider;
    this.#signer = signer;
  }

  /** Returns a response as the client gets it: under the gateway's id and the public model id, with sealed reasoning, and without the upstream's billing. */
  response({ billing: _, ...response }: JsonObject): JsonObject {
    const { output } = response;
    const sealed = Array.isArray(output) ? { output: output.map((item) => this.#seal(item)) } : {};
    return { ...response, ...this.#members, ...sealed };
  }

  /** Returns an event as the client gets it, or undefined if it needs no change. */
  event(event: JsonObject): JsonObject | undefined {
    const { response, response_id: id, item } = event;
    const own = isText(id) ? { ...event, response_id: this.#id } : event;
    if (isJsonObject(response)) return { ...own, response: this.response(response) };
    const sealed = this.#seal(item);
    if (sealed !== item) return { ...own, item: sealed };
    return own === event ? undefined : own;
  }

  #seal(item: unknown): unknown {
    return sealItem(item, this.#provider, this.#signer);
  }
}
