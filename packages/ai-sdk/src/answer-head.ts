import type { LanguageModelV3ResponseMetadata } from "@ai-sdk/provider";

/** What an answer says of itself. */
export interface AnswerHead {
  readonly id?: string;
  /** Unix seconds. */
  readonly created?: number;
  readonly model?: string;
}

/** The head of an answer from what the model's provider told of it; the gateway fills in what is missing. */
export function toAnswerHead({ id, timestamp, modelId }: LanguageModelV3ResponseMetadata): AnswerHead {
  const seconds = Math.floor((timestamp?.getTime() ?? Number.NaN) / 1000);
  return {
    ...(id === undefined ? {} : { id }),
    ...(Number.isNaN(seconds) ? {} : { created: seconds }),
    ...(modelId === undefined ? {} : { model: modelId }),
  };
}
