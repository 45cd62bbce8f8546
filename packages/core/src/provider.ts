export { ProviderError, type ProviderErrorDetails, type ProviderFailure } from "./errors/provider-error.ts";
export type { ByteSink, ByteStream } from "./ports/byte-stream.ts";
export { Cancellation } from "./ports/cancellation.ts";
export type {
  CompletionBytes,
  NativeAnswer,
  NativeCall,
  NativeMethod,
  ProviderAdapter,
  ProviderAnswer,
  ProviderCall,
  ProviderCapabilities,
  ProviderDialects,
  ProviderStream,
} from "./ports/provider-adapter.ts";
export type { CallProgress, CallSignal, Transport, TransportRequest, TransportResponse } from "./ports/transport.ts";
export { collect, collectStart, emptyStream, fromReadableStream } from "./providers/byte-streams.ts";
export { completionOf, gatherCompletion } from "./providers/completion-body.ts";
export { classifyBodyFailure, classifyConnectFailure, connectTimeout } from "./providers/fetch-transport.ts";
export { withLosslessSchemas } from "./providers/lossless-schemas.ts";
export { classifyErrorResponse, isEventStream, sendCall, type UpstreamPost } from "./providers/send-call.ts";
export { hiddenFromClients, secretsOf, upstreamHeaders, upstreamURL } from "./providers/upstream-endpoint.ts";
export { readRetryAfter } from "./upstream/error-payload.ts";
export { classifyErrorPayload, type FailureContext } from "./upstream/failure.ts";
export { isErrorEvent } from "./upstream/frame-reports.ts";
export { readEvents, type StreamEvent } from "./upstream/read-events.ts";
export { type AnswerForm, type FinishReason, type FinishReasons, finishReasonOf } from "./wire/answer-form.ts";
export type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionDelta,
  ChunkChoice,
  CompletionChoice,
  CompletionMessage,
  ToolCallDelta,
} from "./wire/chat-completion.ts";
export type { ChatCompletionRequest, ChatMessage, Tool, ToolCall } from "./wire/chat-completion-request.ts";
export { chunksToCompletion, completionToChunks } from "./wire/completion-chunks.ts";
export { type FileData, isTextual, readFilePart } from "./wire/file-part.ts";
export { isLosslessNumber, type Json, type JsonMembers, type JsonObject, LosslessNumber } from "./wire/json.ts";
export { holdsLosslessNumber, parseLosslessJson, writeLosslessJson } from "./wire/lossless-json.ts";
export { fromMessagesUsage, laterMessagesUsage } from "./wire/messages-usage.ts";
export { resultsAfterCalls } from "./wire/results-after-calls.ts";
export { isNoArguments } from "./wire/tool-calls.ts";
export type { Usage } from "./wire/usage.ts";
