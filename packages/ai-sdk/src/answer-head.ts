import type { LanguageModelV3ResponseMetadata } from "@ai-sdk/provider";

/** The metadata of a completion. */
export interface AnswerHead {
  readonly id?: string;
  /** Unix seconds. */
  readonly created?: number;
  readonly model?: string;
}

/** Maps the SDK's response metadata to a completion's. The gateway adds the members that are absent. */
export function toAnswerHead({ id, timestamp, modelId }: LanguageModelV3ResponseMetadata): AnswerHead {
  const seconds = Math.floor((timestamp?.getTime() ?? Number.NaN) / 1000);
  return {
    ...(id === undefined ? {} : { id }),
    ...(Number.isNaN(seconds) ? {} : { created: seconds }),
    ...(modelId === undefined ? {} : { model: modelId }),
  };
}
