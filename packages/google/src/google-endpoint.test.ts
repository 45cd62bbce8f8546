import { describe, expect, it } from "vitest";
import { readEndpoint } from "./google-endpoint.ts";

const apiKey = "AIzaTestKeyOfNobody";

describe("readEndpoint", () => {
  it("puts the model into the path and the key only into a header", () => {
    const { url, headers } = readEndpoint({ apiKey });
    expect(url("gemini-2.5-flash", "generateContent")).toBe(
      "https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash:generateContent",
    );
    expect(headers["x-goog-api-key"]).toBe(apiKey);
  });

  it("accepts another base URL and version", () => {
    const { url } = readEndpoint({ apiKey, baseURL: "http://localhost:8080/gemini/", apiVersion: "v1" });
    expect(url("tunedModels/my model?", "generateContent")).toBe(
      "http://localhost:8080/gemini/v1/tunedModels/my%20model%3F:generateContent",
    );
  });

  it("keeps the query of the base URL", () => {
    const { url } = readEndpoint({ apiKey, baseURL: "https://proxy.example/gemini/?tenant=blue" });
    expect(url("m", "generateContent")).toBe(
      "https://proxy.example/gemini/v1beta/models/m:generateContent?tenant=blue",
    );
  });

  it("puts the query of a method before that of the base URL", () => {
    const { url } = readEndpoint({ apiKey, baseURL: "https://proxy.example/?tenant=blue" });
    expect(url("m", "streamGenerateContent", "alt=sse")).toBe(
      "https://proxy.example/v1beta/models/m:streamGenerateContent?alt=sse&tenant=blue",
    );
  });

  it("sends the host's headers, which cannot replace the key", () => {
    const { headers } = readEndpoint({ apiKey, headers: { "X-Team": "blue", "X-Goog-Api-Key": "other" } });
    expect(headers).toMatchObject({ "x-team": "blue", "x-goog-api-key": apiKey, "accept-encoding": "identity" });
  });

  it.each([
    ["apiKey", { apiKey: "" }],
    ["apiKey", { apiKey: "a\nb" }],
    ["baseURL", { apiKey, baseURL: "generativelanguage.googleapis.com" }],
    ["baseURL", { apiKey, baseURL: "ftp://a.example" }],
    ["baseURL", { apiKey, baseURL: "https://user:hunter2@a.example" }],
    ["baseURL", { apiKey, baseURL: "https://a.example/?key=x" }],
    ["apiVersion", { apiKey, baseURL: "https://a.example/v1beta/" }],
    ["apiVersion", { apiKey, apiVersion: "v1/x" }],
    ["headers", { apiKey, headers: { "x y": "1" } }],
  ])("rejects an invalid %s without quoting it", (option, options) => {
    expect(() => readEndpoint(options)).toThrow(TypeError);
    expect(() => readEndpoint(options)).toThrow(option);
    expect(() => readEndpoint(options)).not.toThrow("hunter2");
  });
});
