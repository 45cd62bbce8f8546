import type {
  LanguageModelV3CallOptions,
  LanguageModelV3FilePart,
  LanguageModelV3Message,
  LanguageModelV3ToolResultPart,
} from "@ai-sdk/provider";

/** The options of a call: those of specification v3, and the reasoning effort of v4. */
export interface CallOptions extends LanguageModelV3CallOptions {
  reasoning?: string;
}

/** The options of a call of a model of specification v4. */
export interface CallOptionsV4 extends Omit<CallOptions, "prompt"> {
  prompt: object[];
}

/** Maps call options to specification v4, where the data of a file says what it is. */
export const toV4 = ({ prompt, ...options }: CallOptions): CallOptionsV4 => ({
  ...options,
  prompt: prompt.map(toMessage),
});

function toMessage(message: LanguageModelV3Message): object {
  switch (message.role) {
    case "user":
      return { ...message, content: message.content.map((part) => (part.type === "file" ? toFile(part) : part)) };
    case "tool":
      return {
        ...message,
        content: message.content.map((part) =>
          part.type === "tool-result" ? { ...part, output: toOutput(part.output) } : part,
        ),
      };
    default:
      return message;
  }
}

const toFile = ({ data, ...part }: LanguageModelV3FilePart) => ({
  ...part,
  data: data instanceof URL ? { type: "url", url: data } : { type: "data", data },
});

type Output = LanguageModelV3ToolResultPart["output"];
type OutputPart = Extract<Output, { type: "content" }>["value"][number];

const toOutput = (output: Output): object =>
  output.type === "content" ? { ...output, value: output.value.map(toOutputPart) } : output;

function toOutputPart(part: OutputPart): object {
  switch (part.type) {
    case "image-data":
    case "file-data":
      return { ...part, type: "file", data: { type: "data", data: part.data } };
    case "image-url":
      return { type: "file", data: { type: "url", url: new URL(part.url) }, mediaType: "image/*" };
    case "file-url":
      return { type: "file", data: { type: "url", url: new URL(part.url) }, mediaType: "application/octet-stream" };
    default:
      return part;
  }
}
