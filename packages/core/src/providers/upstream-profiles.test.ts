import { describe, expect, it } from "vitest";
import { openaiCompatible } from "./openai-compatible.ts";
import { profileAt, upstreamProfiles } from "./upstream-profiles.ts";

describe("the profile of an upstream", () => {
  it.each([
    ["api.openai.com", "openai"],
    ["eu.api.openai.com", "openai"],
    ["acme.openai.azure.com", "azure"],
    ["api.deepseek.com", "deepseek"],
    ["api.moonshot.cn", "moonshot"],
    ["open.bigmodel.cn", "zai"],
    ["dashscope-intl.aliyuncs.com", "qwen"],
  ] as const)("is found by the host %s", (host, name) => {
    expect(profileAt(host)).toBe(upstreamProfiles[name]);
  });

  it.each(["localhost", "evil-api.deepseek.com.example", "notapi.openai.com", "constructor"])(
    "is empty for the host %s",
    (host) => {
      expect(profileAt(host)).toEqual({});
    },
  );

  it("may be named, or given, for any host, and gives way to capabilities", () => {
    const baseURL = "http://localhost:8000/v1";
    const { capabilities } = openaiCompatible({ baseURL, profile: "mistral", capabilities: { streamUsage: true } });
    expect(capabilities).toMatchObject({
      streamUsage: true,
      thoughts: false,
      refusedFields: expect.arrayContaining(["seed"]),
    });
    const given = { answers: { cachedTokens: ["cache.read"] }, thoughts: "reasoning", toolNameLength: 40 } as const;
    expect(openaiCompatible({ baseURL, profile: given }).capabilities).toEqual({
      streamUsage: true,
      outputCapField: "max_tokens",
      pricedFields: [],
      cancel: "stops",
      answers: given.answers,
      thoughts: true,
    });
  });

  it.each([
    [{ profile: "deepsek" }, /`profile` must be "openai" or .*Did you mean deepseek/],
    [{ profile: { thought: "reasoning" } }, /thoughts/],
    [{ profile: { thoughts: true } }, /thoughts` must be "reasoning_content", "reasoning" or false/],
    [{ profile: { answers: { finishReasons: { gone: "lost" } } } }, /finishReasons\.gone` must be "stop" or/],
    [{ profile: { toolNameLength: 3 } }, /toolNameLength` must be a whole number of at least 16/],
  ])("is refused with a message if it is %j", (options, message) => {
    expect(() => openaiCompatible({ baseURL: "http://localhost/v1", ...(options as object) })).toThrow(message);
  });
});
