import { describe, expect, it } from "vitest";
import { clientText } from "./client-text.ts";

describe("clientText", () => {
  it.each([
    ["a URL", "see https://api.internal.acme.io:8443/v1/x?key=abc now", "see [removed] now"],
    ["a host name", "upstream vllm-7.models.svc.cluster.local:8000 failed", "upstream [removed] failed"],
    ["a host of any domain", "upstream gw1.prod.acme.technology:8443 failed", "upstream [removed] failed"],
    ["a host of two labels", "dial llm.acmecorp failed", "dial [removed] failed"],
    ["a host in upper case", "dial GW1.ACME.BANK failed", "dial [removed] failed"],
    ["a path of a model", "no accounts/acme/deployedModels/llama-v3p1-8b here", "no [removed] here"],
    ["a repository of a model", "The model meta-llama/Llama-3.1-8B-Instruct is full", "The model [removed] is full"],
    ["a file of a model", "cannot open /mnt/models/llama-8b/config", "cannot open [removed]"],
    ["a model of Bedrock", "us.anthropic.claude-sonnet-4-20250514-v1:0 is full", "[removed] is full"],
    ["localhost with a port", "dial localhost:11434 refused", "dial [removed] refused"],
    ["an IPv4 address", "connect to 10.0.12.7:8000 failed", "connect to [removed] failed"],
    ["an IPv6 address", "connect to [2001:db8::1]:443 failed", "connect to [removed] failed"],
    [
      "a key",
      "Incorrect API key provided: sk-proj-abcDEF123456. Fix it",
      "Incorrect API key provided: [removed] Fix it",
    ],
    ["a masked key", "key sk-ab***********wxyz is bad", "key [removed] is bad"],
    ["a Google key", "key AIzaSyA1234567890abcdefg is bad", "key [removed] is bad"],
    ["a bearer token", "got 'Bearer abc.def', sorry", "got '[removed]', sorry"],
    [
      "an organisation",
      "Rate limit in organization org-AbCdEfGhIjKlMn on tokens",
      "Rate limit in organization [removed] on tokens",
    ],
    ["a request id", "failed, request ID req_011CSHoEeqs5C35K2UUqR7Fy", "failed, request ID [removed]"],
    ["a bare request id", "failed (request id: 20260102abcdef99)", "failed (request id: [removed])"],
    ["a UUID", "trace 6fa459ea-ee8a-3ca4-894e-db77e160355e ended", "trace [removed] ended"],
    ["a project", "projects/123456789 has no quota", "[removed] has no quota"],
    ["an e-mail address", "ask billing@acme.example.com please", "ask [removed] please"],
    ["a long random word", "token a8f5f167f44f4964e6c998dee827110c0 seen", "token [removed] seen"],
  ])("removes %s", (_name, text, clean) => {
    expect(clientText(text)).toBe(clean);
  });

  it("removes the path and query of a host without a scheme", () => {
    const text = "at 10.0.0.5:8080/team-a?token=hunter2, acme.svc:80/team-b/acme-1/x and api.acme.io?t=1. Try again";
    expect(clientText(text, ["acme.svc:80", "acme-1"])).toBe("at [removed] [removed] and [removed] Try again");
  });

  it("removes all of a URL that contains a hidden string", () => {
    const text = "Called http://10.0.0.5:8080/internal/team-a/acme-1/chat?token=hunter2 [see http://10.0.0.5:8080]";
    expect(clientText(text, ["10.0.0.5:8080", "acme-1"])).toBe("Called [removed] [see [removed]]");
  });

  it.each([
    "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens (8000 in the messages).",
    "Invalid value for 'messages.0.role': expected one of 'system', 'user'.",
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    "Invalid schema for response_format 'math_response': In context=('properties', 'a'), 'type' is required.",
    "temperature: must be between 0.0 and 2.0, e.g. 1.5",
    "tool_call_id of messages[3] follows no tool_calls",
    "messages.0.content.1.tool_use.id: must be a string, see tools.0.function.name and input.0.content",
    "body.messages.0.role and response_format.json_schema.schema.properties.city are wrong",
    "GenerateContentRequest.contents[0].parts[1].inline_data.data: must be base64",
    "generation_config.response_schema.properties.name is missing",
    "Use 0.5, 1.2.3 or v2.0, 50/100 of the tokens, and image/png or application/pdf as in a.pdf",
    "Send the input/output of max_tokens/max_completion_tokens, and Node.js or e.g. this",
    "claude-3.5-sonnet and gpt-4.1 are older than 2024-06-01",
  ])("does not change: %s", (text) => {
    expect(clientText(text)).toBe(text);
  });

  it("keeps the public model id, even if the upstream has the same name, but not a longer one", () => {
    const text = "The model acme/gpt-5 is full, as is acme/gpt-5-turbo. See https://up.test/acme/gpt-5";
    expect(clientText(text, ["acme/gpt-5"], "acme/gpt-5")).toBe(
      "The model acme/gpt-5 is full, as is [removed]-turbo. See [removed]",
    );
    expect(clientText("Use $& of m$&1", [], "m$&1")).toBe("Use $& of m$&1");
  });

  it("removes the hidden strings", () => {
    expect(clientText("my-deployment at hostname-x said no", ["my-deployment", "hostname-x"])).toBe(
      "[removed] at [removed] said no",
    );
  });

  it("returns at most 500 characters, on one line", () => {
    const clean = clientText(`first\nsecond ${"word ".repeat(2_000)}`);
    expect(clean?.length).toBe(500);
    expect(clean).toMatch(/^first second word .*\.\.\.$/);
  });

  it("returns no part of a key where the text is cut", () => {
    const url = `http://${"a".repeat(3_970)}/ `;
    expect(clientText(`${url}sk-${"k7".repeat(40)}`)).toBe("[removed]");
  });

  it.each([
    ["a host name after an underscore", "upstream gpu_vllm.acme.com failed", "upstream gpu_[removed] failed"],
    ["a host name after dots", "upstream ..vllm.acme.com failed", "upstream [removed] failed"],
    ["a masked key of 200 characters", `key ${"k".repeat(200)}*** is bad`, "key [removed] is bad"],
    ["a project between slashes", "in team/proj-1a2b3c x", "in team/[removed] x"],
    ["an id after two labels", "for request account 12345678 only", "for request account [removed] only"],
    ["a random word after a path", `at data/a1${"b2".repeat(20)} now`, "at data/[removed] now"],
  ])("removes %s", (_name, text, clean) => {
    expect(clientText(text)).toBe(clean);
  });

  it("is undefined when nothing is left", () => {
    expect(clientText(" \n ")).toBeUndefined();
  });
});
