import type { KeyRules } from "../answering/model-api.ts";
import type { ClientRequest } from "../ports/client-request.ts";
import type { JsonObject } from "../wire/json.ts";

/** The form in which a client gets models, and where it sends its key. */
export interface ModelForm extends Pick<KeyRules, "keyHeaders"> {
  /** Returns the body of GET /models. Throws 400 for an invalid query. */
  list(entries: readonly JsonObject[], request: Pick<ClientRequest, "url">): object;
  /** Returns the body of GET /models/{id}. */
  show(entry: JsonObject): object;
}

/** Returns the form that the client of a request expects. */
export type ModelFormOf = (request: ClientRequest) => ModelForm;

/** The form of OpenAI's API. Follows https://platform.openai.com/docs/api-reference/models */
export const openaiModels: ModelForm = {
  list: (data) => ({ object: "list", data }),
  show: (entry) => entry,
};
