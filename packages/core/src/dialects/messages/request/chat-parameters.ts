import type { ChatCompletionRequest, ChatParameters } from "../../../wire/chat-completion-request.ts";
import { toChatMessages } from "./chat-messages.ts";
import { toChatTools } from "./chat-tools.ts";
import type { MessagesRequest, MessagesSettings } from "./messages-schema.ts";

/** The settings that both forms of the request have, with the numbers of the given one. */
function toSettings(request: MessagesSettings, effort: string | undefined) {
  const { model, stream, max_tokens: most, temperature, top_p: topP, top_k: topK, stop_sequences: stop } = request;
  const format = request.output_config?.format ?? request.output_format;
  return {
    model,
    ...(stream == null ? {} : { stream }),
    ...(most == null ? {} : { max_tokens: most }),
    ...(temperature == null ? {} : { temperature }),
    ...(topP == null ? {} : { top_p: topP }),
    // Some chat upstreams accept it; a provider lists it in `refusedFields` if its upstream does not.
    ...(topK == null ? {} : { top_k: topK }),
    ...(stop == null || stop.length === 0 ? {} : { stop }),
    ...(effort === undefined ? {} : { reasoning_effort: effort }),
    ...(format == null
      ? {}
      : {
          response_format: {
            type: "json_schema",
            json_schema: { name: "answer", strict: true, schema: format.schema },
          } as const,
        }),
  };
}

/**
 * Returns the settings of a request as those of a chat completion, for checks, bounds and reports. `user` names the end
 * user. It is not sent to targets that receive a chat completion, since their limits on its length differ.
 */
export function toChatParameters(request: MessagesSettings, effort: string | undefined): ChatParameters {
  const user = request.metadata?.user_id;
  return {
    ...toSettings(request, effort),
    ...(request.tools != null && request.tools.length > 0 ? { tools: [...request.tools] } : {}),
    ...(user == null ? {} : { user }),
  };
}

/** Maps a request, whose numbers may be exact, to a chat completion with the effort that was found for its model. */
export const toChatRequest = (request: MessagesRequest, effort: string | undefined): ChatCompletionRequest => ({
  ...toSettings(request, effort),
  messages: [...toChatMessages(request)],
  ...toChatTools(request),
  ...(request["cache_control"] == null ? {} : { cache_control: request["cache_control"] }),
});
