import { describe, expect, it } from "vitest";
import { hiddenFromClients, upstreamURL } from "./upstream-endpoint.ts";

const url = (baseURL: string) => upstreamURL("acme", baseURL, "/chat", "https://api.acme.example/v1");

describe("upstreamURL", () => {
  it.each([
    ["https://a.example", "https://a.example/chat"],
    ["https://a.example/v1//", "https://a.example/v1/chat"],
    ["http://[::1]:8080/v1?api-version=2#top", "http://[::1]:8080/v1/chat?api-version=2"],
  ])("appends the path to %s", (baseURL, expected) => expect(url(baseURL).href).toBe(expected));

  it.each(["a.example/v1", "", "ftp://a.example"])("shows an example for %j", (baseURL) => {
    expect(() => url(baseURL)).toThrow(/^acme: .* such as "https:\/\/api\.acme\.example\/v1"/);
  });

  it.each(["https://:hunter2@a.example", "https://hunter2@a.example", "https://a.example?api_key=hunter2"])(
    "refuses the secret in %s without quoting it",
    (baseURL) => {
      expect(() => url(baseURL)).toThrow(/apiKey/);
      expect(() => url(baseURL)).not.toThrow(/hunter2/);
    },
  );

  it.each([
    ["https://a.example/v1/chat/completions", "/chat/completions"],
    ["https://a.example/v1/completions", "/completions"],
    ["https://a.example/openai/v1/responses/?api-version=1", "/responses"],
    ["https://a.example/v1/embeddings", "/embeddings"],
    ["https://a.example/v1/Messages", "/Messages"],
    ["https://a.example/v1/messages/count_tokens", "/messages/count_tokens"],
    ["https://a.example/v1/models", "/models"],
    ["https://a.example/v1beta/models/gemini:generateContent", "/models/gemini:generateContent"],
    ["http://a.example/api/chat", "/api/chat"],
  ])("refuses %s, which ends in an endpoint's path, and names the path", (baseURL, path) => {
    expect(() => url(baseURL)).toThrow(`acme: baseURL ends in "${path}", the path of an endpoint. Remove it`);
  });

  it.each(["https://a.example/models", "https://a.example/my-completions", "https://a.example/inference"])(
    "accepts %s",
    (baseURL) => {
      expect(url(baseURL).pathname).toMatch(/chat$/);
    },
  );
});

describe("hiddenFromClients", () => {
  it("returns the host with and without its port, and the values that may be secrets", () => {
    const hidden = hiddenFromClients(url("https://a.example:8443"), ["sk-12345678", "", "blue"]);
    expect(hidden).toEqual(["sk-12345678", "a.example:8443", "a.example"]);
  });
});
