import {
  APICallError,
  EmptyResponseBodyError,
  InvalidArgumentError,
  InvalidPromptError,
  InvalidResponseDataError,
  JSONParseError,
  LoadAPIKeyError,
  LoadSettingError,
  NoContentGeneratedError,
  NoSuchModelError,
  TypeValidationError,
  UnsupportedFunctionalityError,
} from "@ai-sdk/provider";
import { ProviderError, type ProviderFailure } from "@tollgate/core/provider";
import { describe, expect, it } from "vitest";
import { classifyFailure } from "./classify-failure.ts";

const canary = "canary-4f9a1c77e2b84d10";
const context = { provider: "up", hidden: [canary, "up-model"] };
const apiError = (more: Partial<ConstructorParameters<typeof APICallError>[0]> = {}) =>
  new APICallError({
    message: `Failed with ${canary}`,
    url: `https://llm-box:8443/v1?key=${canary}`,
    requestBodyValues: { prompt: canary },
    ...more,
  });
const coded = (code: string) => Object.assign(new Error(`connect ${code}`), { code });
const body = (message: string, code: string | null = null) =>
  JSON.stringify({ error: { message, code, param: "seed" } });

/** Every property and stack of an error and its causes: what a log could show. */
const inspectError = (error: unknown): string =>
  error instanceof Error
    ? `${JSON.stringify(Object.getOwnPropertyNames(error).map((name) => Reflect.get(error, name)))}${error.stack}${inspectError(error.cause)}`
    : "";

describe("classifyFailure", () => {
  it.each<[name: string, thrown: unknown, failure: ProviderFailure]>([
    ["400", apiError({ statusCode: 400, responseBody: body("seed is bad") }), "rejected"],
    ["422 without a body", apiError({ statusCode: 422 }), "rejected"],
    [
      "400 about the context",
      apiError({ statusCode: 400, responseBody: body("x", "context_length_exceeded") }),
      "context_length",
    ],
    ["400 about the key", apiError({ statusCode: 400, responseBody: body("API key not valid") }), "credentials"],
    [
      "400 whose error is in `data`",
      apiError({ statusCode: 400, data: { error: { code: "insufficient_quota" } } }),
      "credentials",
    ],
    ["401", apiError({ statusCode: 401, responseBody: "" }), "credentials"],
    ["402", apiError({ statusCode: 402 }), "credentials"],
    ["403", apiError({ statusCode: 403 }), "credentials"],
    ["404", apiError({ statusCode: 404, responseBody: "<html>" }), "credentials"],
    ["408", apiError({ statusCode: 408 }), "failed"],
    ["409", apiError({ statusCode: 409 }), "failed"],
    ["413", apiError({ statusCode: 413 }), "too_large"],
    ["429", apiError({ statusCode: 429 }), "overloaded"],
    ["500", apiError({ statusCode: 500, cause: new Error("Failed to process error response") }), "failed"],
    ["503", apiError({ statusCode: 503 }), "overloaded"],
    ["529", apiError({ statusCode: 529 }), "overloaded"],
    ["301", apiError({ statusCode: 301 }), "invalid_response"],
    [
      "200 with HTML",
      apiError({ statusCode: 200, responseBody: "<html>", cause: new JSONParseError({ text: "<", cause: 1 }) }),
      "invalid_response",
    ],
    ["200 with an error", apiError({ statusCode: 200, responseBody: body("x", "rate_limit_exceeded") }), "overloaded"],
    [
      "200 whose body was cut off",
      apiError({ statusCode: 200, cause: new TypeError("terminated", { cause: coded("UND_ERR_SOCKET") }) }),
      "failed",
    ],
    ["a refused connection", apiError({ cause: coded("ECONNREFUSED") }), "unreachable"],
    [
      "a reset wrapped in two errors",
      apiError({ cause: new TypeError("x", { cause: coded("ECONNRESET") }) }),
      "unreachable",
    ],
    ["a connect timeout", apiError({ cause: coded("UND_ERR_CONNECT_TIMEOUT") }), "timeout"],
    ["no status and no cause", apiError(), "unreachable"],
    ["Anthropic's overloaded_error", { type: "overloaded_error", message: "Overloaded" }, "overloaded"],
    ["a string in the stream", "something broke", "failed"],
    ["undefined", undefined, "failed"],
    ["an error of fetch", new TypeError("fetch failed", { cause: coded("ENOTFOUND") }), "unreachable"],
    ["a TimeoutError of the platform", new DOMException("late", "TimeoutError"), "timeout"],
    [
      "an error that is not of the SDK, with a status",
      Object.assign(new Error("Wait."), { statusCode: 429, type: "x" }),
      "overloaded",
    ],
    ["a TypeError in the model", new TypeError(`Invalid header value: Bearer ${canary}`), "failed"],
    ["no key", new LoadAPIKeyError({ message: "No key." }), "credentials"],
    ["no setting", new LoadSettingError({ message: "No setting." }), "credentials"],
    ["no such model", new NoSuchModelError({ modelId: "up-model", modelType: "languageModel" }), "credentials"],
    ["something unsupported", new UnsupportedFunctionalityError({ functionality: "audio" }), "rejected"],
    ["an invalid prompt", new InvalidPromptError({ prompt: canary, message: "no" }), "rejected"],
    ["an invalid argument", new InvalidArgumentError({ argument: "x", message: "no" }), "rejected"],
    ["a response of another shape", new TypeValidationError({ value: canary, cause: 1 }), "invalid_response"],
    [
      "an error object that the SDK does not recognize",
      new TypeValidationError({ value: { error: "rate_limit", code: 429 }, cause: 1 }),
      "overloaded",
    ],
    ["a response that is not JSON", new JSONParseError({ text: canary, cause: 1 }), "invalid_response"],
    ["a response without choices", new InvalidResponseDataError({ data: canary }), "invalid_response"],
    ["an empty response", new EmptyResponseBodyError(), "invalid_response"],
    ["no content", new NoContentGeneratedError(), "invalid_response"],
    ["a ProviderError", new ProviderError("too_large", "x"), "too_large"],
  ])("sorts %s", (_name, thrown, failure) => {
    const error = classifyFailure(thrown, context);
    expect(error.failure).toBe(failure);
    expect(inspectError(error)).not.toMatch(/canary-4f|llm-box/);
  });

  it("passes the upstream's message to the client without the host, the key and the model", () => {
    const responseBody = body(`up-model at llm-box:8443 refused ${canary}, sorry`);
    expect(classifyFailure(apiError({ statusCode: 400, responseBody }), context).details).toMatchObject({
      status: 400,
      clientMessage: "[removed] at [removed] refused [removed], sorry",
      param: "seed",
    });
  });

  it("passes the SDK's message about an unsupported request to the client", () => {
    const error = new UnsupportedFunctionalityError({ functionality: "audio of up-model" });
    expect(classifyFailure(error, context).details.clientMessage).toBe(
      "'audio of [removed]' functionality not supported.",
    );
  });

  it("reads Retry-After of the upstream, whatever the case of the header name", () => {
    const waiting = (responseHeaders: Record<string, string>) =>
      classifyFailure(apiError({ statusCode: 429, responseHeaders }), context).details.retryAfterSeconds;
    expect(waiting({ "Retry-After": "7" })).toBe(7);
    expect(waiting({ "retry-after-ms": "1500" })).toBe(2);
    expect(waiting({})).toBeUndefined();
  });

  it("names the code of the network error, however deeply it is wrapped", () => {
    const wrapped = new TypeError("x", { cause: new Error("y", { cause: coded("ECONNRESET") }) });
    expect(classifyFailure(apiError({ cause: wrapped }), context).message).toContain("ECONNRESET");
    expect(classifyFailure(apiError({ statusCode: 200, cause: wrapped }), context).message).toContain("ECONNRESET");
  });

  it("terminates when two errors are each other's cause", () => {
    const one = new Error("one");
    one.cause = new Error("two", { cause: one });
    expect(classifyFailure(one, context).failure).toBe("failed");
  });
});
