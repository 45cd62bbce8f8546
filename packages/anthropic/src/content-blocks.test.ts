import { describe, expect, it } from "vitest";
import { toBlocks } from "./content-blocks.ts";

const file = (file_data: string, filename?: string) => ({ type: "file", file: { file_data, filename } });
const mark = { cache_control: { type: "ephemeral" } };

// https://platform.openai.com/docs/guides/pdf-files and https://platform.claude.com/docs/en/build-with-claude/pdf-support
describe("files in a message", () => {
  it.each([
    [
      "a PDF",
      file("data:application/pdf;base64,JVBE", "a.pdf"),
      { type: "document", source: { type: "base64", media_type: "application/pdf", data: "JVBE" }, title: "a.pdf" },
    ],
    [
      "a text",
      file("data:text/csv;charset=utf-8;base64,YSxi", "a.csv"),
      { type: "document", source: { type: "text", media_type: "text/plain", data: "a,b" }, title: "a.csv" },
    ],
    [
      "base64 without a type, by its name",
      { ...file("w6Q=", "a.md"), ...mark },
      { type: "document", source: { type: "text", media_type: "text/plain", data: "ä" }, title: "a.md", ...mark },
    ],
    [
      "an image",
      file("data:image/png;base64,iVBO"),
      { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBO" } },
    ],
  ])("become documents and images: %s", (_name, part, block) => {
    expect(toBlocks([part], "messages.0")).toEqual([block]);
  });

  it.each([
    ["of an unknown type", { file_data: "data:application/zip;base64,UEs=" }],
    ["whose text is not UTF-8", { file_data: "data:text/plain;base64,/w==" }],
    ["whose text is not base64", { file_data: "data:text/plain;base64,%%" }],
    ["by its address", { file_data: "https://example.com/a.pdf", filename: "a.pdf" }],
    ["of the provider's account", { file_id: "file-1" }],
  ])("are rejected by name: one %s", (_name, given) => {
    expect(() => toBlocks([{ type: "file", file: given }], "messages.0")).toThrow(
      expect.objectContaining({
        failure: "rejected",
        details: expect.objectContaining({ param: "messages.0.content.0.file.file_data" }),
      }),
    );
  });
});
