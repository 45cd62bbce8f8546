import type { OutputItem, OutputRefusal, OutputText } from "./output-items.ts";
import type { ResponseObject } from "./response-object.ts";

/** The place of an item in the output of a response. */
interface Place {
  readonly item_id: string;
  readonly output_index: number;
}

/** The place of a part in a message. */
interface PartPlace extends Place {
  readonly content_index: number;
}

/** The place of a part in the summary of reasoning. */
interface SummaryPlace extends Place {
  readonly summary_index: number;
}

interface SummaryPart {
  readonly type: "summary_text";
  readonly text: string;
}

/** An event about an item, without its number. */
export type ItemEvent =
  | {
      readonly type: "response.output_item.added" | "response.output_item.done";
      readonly output_index: number;
      readonly item: OutputItem;
    }
  | ({
      readonly type: "response.content_part.added" | "response.content_part.done";
      readonly part: OutputText | OutputRefusal;
    } & PartPlace)
  | ({ readonly type: "response.output_text.delta"; readonly delta: string; readonly logprobs: never[] } & PartPlace)
  | ({ readonly type: "response.output_text.done"; readonly text: string; readonly logprobs: never[] } & PartPlace)
  | ({ readonly type: "response.refusal.delta"; readonly delta: string } & PartPlace)
  | ({ readonly type: "response.refusal.done"; readonly refusal: string } & PartPlace)
  | ({
      readonly type: "response.reasoning_summary_part.added" | "response.reasoning_summary_part.done";
      readonly part: SummaryPart;
    } & SummaryPlace)
  | ({ readonly type: "response.reasoning_summary_text.delta"; readonly delta: string } & SummaryPlace)
  | ({ readonly type: "response.reasoning_summary_text.done"; readonly text: string } & SummaryPlace)
  | ({ readonly type: "response.function_call_arguments.delta"; readonly delta: string } & Place)
  | ({
      readonly type: "response.function_call_arguments.done";
      readonly name: string;
      readonly arguments: string;
    } & Place)
  | ({ readonly type: "response.custom_tool_call_input.delta"; readonly delta: string } & Place)
  | ({ readonly type: "response.custom_tool_call_input.done"; readonly input: string } & Place);

/** An event about the response, without its number. The last one has the type of its end. */
export interface ResponseEvent {
  readonly type:
    | "response.created"
    | "response.in_progress"
    | "response.completed"
    | "response.incomplete"
    | "response.failed";
  readonly response: ResponseObject;
}

/**
 * An event of a translated stream, without its number.
 * Follows https://platform.openai.com/docs/api-reference/responses-streaming
 */
export type ResponsesEvent = ItemEvent | ResponseEvent;
