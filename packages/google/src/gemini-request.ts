import type { JsonObject } from "@tollgate/core/provider";

/** A text. */
export interface TextPart {
  readonly text: string;
  readonly thoughtSignature?: string;
}

/** The result of a function call. */
export interface FunctionResponsePart {
  readonly functionResponse: { readonly id: string; readonly name: string; readonly response: JsonObject };
}

/** An inline image, or the URL of one that Google fetches. */
export type MediaPart =
  | { readonly inlineData: { readonly mimeType: string; readonly data: string } }
  | { readonly fileData: { readonly mimeType: string; readonly fileUri: string } };

/** One turn of the history, with texts and media, calls that the model made, and their results. */
export interface GeminiContent {
  readonly role: "user" | "model";
  readonly parts: readonly (
    | TextPart
    | MediaPart
    | {
        readonly functionCall: { readonly id: string; readonly name: string; readonly args: JsonObject };
        readonly thoughtSignature?: string;
      }
    | FunctionResponsePart
  )[];
}

/** Which functions the model may or must call. */
export interface FunctionCallingConfig {
  readonly mode: "AUTO" | "ANY" | "NONE" | "VALIDATED";
  readonly allowedFunctionNames?: readonly string[];
}

/** How much a model thinks before it answers: models up to 2.5 accept a budget in tokens, later ones a level. */
export interface ThinkingConfig {
  readonly thinkingLevel?: "MINIMAL" | "LOW" | "MEDIUM" | "HIGH";
  readonly thinkingBudget?: number;
  readonly includeThoughts?: true;
}

/** Settings of the output. */
export interface GenerationConfig {
  readonly candidateCount?: number;
  readonly stopSequences?: readonly string[];
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly seed?: number;
  readonly presencePenalty?: number;
  readonly frequencyPenalty?: number;
  readonly responseMimeType?: "application/json";
  readonly responseJsonSchema?: JsonObject;
  readonly thinkingConfig?: ThinkingConfig;
}

/** The blocking threshold for one harm category, such as HARM_CATEGORY_HARASSMENT and BLOCK_ONLY_HIGH. */
export interface SafetySetting {
  readonly category: string;
  readonly threshold: string;
}

/** The body of generateContent and streamGenerateContent. Follows https://ai.google.dev/api/generate-content */
export interface GeminiRequest {
  readonly contents: readonly GeminiContent[];
  readonly systemInstruction?: { readonly parts: readonly TextPart[] };
  readonly tools?: readonly [
    {
      readonly functionDeclarations: readonly {
        readonly name: string;
        readonly description?: string;
        readonly parametersJsonSchema?: JsonObject;
      }[];
    },
  ];
  readonly toolConfig?: { readonly functionCallingConfig: FunctionCallingConfig };
  readonly generationConfig?: GenerationConfig;
  readonly safetySettings?: readonly SafetySetting[];
}
