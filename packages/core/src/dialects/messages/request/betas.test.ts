import { expect, it } from "vitest";
import { forwardedBetas } from "./betas.ts";

const none = new Set<string>();
const sent =
  "claude-code-20250219,context-1m-2025-08-07, interleaved-thinking-2025-05-14,compact-2026-01-12,compact-2026-09-04,skills-2025-10-02";

it("removes the betas that change price or place, in any version, and keeps the order of the others", () => {
  expect(forwardedBetas(sent, none)).toBe("claude-code-20250219,interleaved-thinking-2025-05-14");
});

it("compares them without regard to case", () => {
  expect(forwardedBetas("Context-1M-2025-08-07,FAST-MODE-2026-02-01,Claude-Code-20250219", none)).toBe(
    "Claude-Code-20250219",
  );
});

it("keeps those that the host allows, in any version", () => {
  expect(forwardedBetas(sent, new Set(["compact", "context-1m"]))).toBe(
    "claude-code-20250219,context-1m-2025-08-07,interleaved-thinking-2025-05-14,compact-2026-01-12,compact-2026-09-04",
  );
});

it.each([undefined, "", " , ", "fast-mode-2026-02-01", "a beta\nwith: a header"])(
  "returns nothing for %j",
  (header) => {
    expect(forwardedBetas(header, none)).toBeUndefined();
  },
);
