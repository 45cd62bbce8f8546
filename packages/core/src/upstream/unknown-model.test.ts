import { describe, expect, it } from "vitest";
import { classifyErrorPayload } from "./failure.ts";

describe("isUnknownModel", () => {
  // The documentation of errors of each upstream, or its source where it is open.
  it.each([
    [
      "OpenAI",
      404,
      {
        error: {
          message: "The model `m` does not exist or you do not have access to it.",
          type: "invalid_request_error",
          param: null,
          code: "model_not_found",
        },
      },
    ],
    [
      "Azure",
      404,
      { error: { code: "DeploymentNotFound", message: "The API deployment for this resource does not exist." } },
    ],
    [
      "DeepSeek",
      400,
      {
        error: {
          message: "Model Not Exist",
          type: "invalid_request_error",
          param: null,
          code: "invalid_request_error",
        },
      },
    ],
    [
      "Moonshot",
      404,
      { error: { message: "Not found the model m or Permission denied", type: "resource_not_found_error" } },
    ],
    [
      "Mistral",
      400,
      { object: "error", message: "Invalid model: m", type: "invalid_model", param: null, code: "1500" },
    ],
    [
      "xAI",
      404,
      {
        code: "Some requested entity was not found",
        error: "The model m does not exist or your team x does not have access to it.",
      },
    ],
    [
      "Together",
      404,
      {
        error: {
          message: "Unable to access model m. Please visit the list of supported models.",
          type: "invalid_request_error",
          code: "model_not_available",
        },
      },
    ],
    [
      "Fireworks",
      404,
      {
        error: {
          object: "error",
          type: "invalid_request_error",
          message: "Model not found, inaccessible, and/or not deployed",
          code: "NOT_FOUND",
        },
      },
    ],
    ["OpenRouter", 400, { error: { message: "acme/m is not a valid model ID", code: 400 } }],
    ["Z.ai", 400, { error: { code: "1211", message: "Unknown Model, please check the model code." } }],
    ["MiniMax", 400, { error: { type: "bad_request_error", message: "invalid params, unknown model 'm' (2013)" } }],
    [
      "Perplexity",
      400,
      {
        error: {
          message: "Invalid model 'm'. Permitted models can be found in the documentation.",
          type: "invalid_model",
          code: 400,
        },
      },
    ],
    [
      "Cohere",
      404,
      {
        message: "model 'm' not found, make sure the correct model ID was used and that you have access to the model.",
      },
    ],
    [
      "Ollama",
      404,
      { error: { message: 'model "m" not found, try pulling it first', type: "api_error", param: null, code: null } },
    ],
    [
      "vLLM",
      404,
      { object: "error", message: "The model `m` does not exist.", type: "NotFoundError", param: null, code: 404 },
    ],
    [
      "LM Studio",
      400,
      {
        error: {
          message: 'Failed to load model "m".',
          type: "invalid_request_error",
          param: "model",
          code: "model_not_found",
        },
      },
    ],
    [
      "LiteLLM",
      400,
      {
        error: {
          message: "Invalid model name passed in model=m. Call `/v1/models` to view available models for your key.",
          type: "None",
          code: "400",
        },
      },
    ],
    ["Anthropic", 404, { type: "error", error: { type: "not_found_error", message: "model: m" } }],
    [
      "Google",
      404,
      { error: { code: 404, message: "models/m is not found for API version v1beta", status: "NOT_FOUND" } },
    ],
  ])("tells the host that %s does not have the model, and the client nothing", (_upstream, status, body) => {
    const error = classifyErrorPayload(body, status, { provider: "alpha" });
    expect(error).toMatchObject({ failure: "credentials", details: { status, upstreamMessage: expect.any(String) } });
    expect(error.message).toContain(
      "It does not have this model, or not for this account. Correct the target's `model`",
    );
    expect(error.details.clientMessage).toBeUndefined();
  });

  it.each([
    "'m is not a valid model ID' is not of type 'object' - 'tools.0'",
    "Invalid value for 'content': the model does not exist.",
    "Model output must be text.",
  ])("does not mistake a quoted request for a missing model: %s", (message) => {
    expect(classifyErrorPayload({ message }, 400).failure).toBe("rejected");
  });
});
