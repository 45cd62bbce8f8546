import { expect, it } from "vitest";
import { fromMessagesUsage } from "./messages-usage.ts";

it("includes cached tokens in the prompt tokens", () => {
  const reported = { input_tokens: 5, cache_read_input_tokens: 20, cache_creation_input_tokens: 3, output_tokens: 2 };
  expect(fromMessagesUsage(reported)).toEqual({
    prompt_tokens: 28,
    completion_tokens: 2,
    total_tokens: 30,
    prompt_tokens_details: { cached_tokens: 20, cache_write_tokens: 3 },
  });
});

it("ignores a negative count of cached tokens", () => {
  const reported = {
    input_tokens: 500,
    cache_read_input_tokens: -490,
    cache_creation_input_tokens: -5,
    output_tokens: 2,
  };
  expect(fromMessagesUsage(reported)).toMatchObject({ prompt_tokens: 500, completion_tokens: 2 });
});
