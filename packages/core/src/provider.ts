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
export { completionOf } from "./providers/completion-body.ts";
export { gatherCompletion } from "./providers/gather-completion.ts";
export { withLosslessSchemas } from "./providers/lossless-schemas.ts";
export { classifyErrorResponse, isEventStream, sendCall, type UpstreamPost } from "./providers/send-call.ts";
export { classifyBodyFailure, classifyConnectFailure, connectTimeout } from "./providers/transport-failure.ts";
export { upstreamHeaders } from "./providers/upstream-headers.ts";
export { hiddenFromClients, secretsOf, upstreamURL } from "./providers/upstream-url.ts";
export { isErrorEvent } from "./upstream/error-forms.ts";
export { classifyErrorPayload, type FailureContext } from "./upstream/failure.ts";
export { readEvents, type StreamEvent } from "./upstream/read-events.ts";
export { readRetryAfter } from "./upstream/retry-after.ts";
export type { AnswerForm } from "./wire/answer-form.ts";
export type { ChatCompletion, CompletionChoice, CompletionMessage } from "./wire/chat-completion.ts";
export type {
  ChatCompletionChunk,
  ChatCompletionDelta,
  ChunkChoice,
  ToolCallDelta,
} from "./wire/chat-completion-chunk.ts";
export type { ChatCompletionRequest, ChatMessage, Tool, ToolCall } from "./wire/chat-completion-request.ts";
export { chunksToCompletion } from "./wire/chunks-to-completion.ts";
export { completionToChunks } from "./wire/completion-to-chunks.ts";
export { type FileData, isTextual, readFilePart } from "./wire/file-part.ts";
export { type FinishReason, type FinishReasons, finishReasonOf } from "./wire/finish-reasons.ts";
export type { Json, JsonMembers, JsonObject } from "./wire/json.ts";
export { holdsLosslessNumber, parseLosslessJson, writeLosslessJson } from "./wire/lossless-json.ts";
export { isLosslessNumber, LosslessNumber } from "./wire/lossless-number.ts";
export { fromMessagesUsage, laterMessagesUsage } from "./wire/messages-usage.ts";
export { resultsAfterCalls } from "./wire/results-after-calls.ts";
export { isNoArguments } from "./wire/tool-arguments.ts";
export type { Usage } from "./wire/usage.ts";
