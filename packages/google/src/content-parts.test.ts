import { describe, expect, it } from "vitest";
import { toImagePart } from "./content-parts.ts";

const param = "messages.0.content.1.image_url.url";

describe("toImagePart", () => {
  it.each([
    ["data:image/png;base64,AAAA", "image/png", "AAAA"],
    ["DATA:Image/JPEG;charset=utf-8;BASE64,A+/=", "image/jpeg", "A+/="],
    ["data:image/svg+xml;base64,", "image/svg+xml", ""],
  ])("sends %s inline", (url, mimeType, data) => {
    expect(toImagePart(url, param)).toEqual({ inlineData: { mimeType, data } });
  });

  it.each([
    ["https://a.example/x.png", "image/png"],
    ["http://a.example/x.JPEG?v=1.gif#a.b", "image/jpeg"],
    ["https://a.example/x.tar.webp", "image/webp"],
  ])("passes %s on for Google to fetch", (url, mimeType) => {
    expect(toImagePart(url, param)).toEqual({ fileData: { mimeType, fileUri: url } });
  });

  it.each([
    ["data:image/png,AAAA"],
    ["data:;base64,AAAA"],
    ["data:text/plain;base64,AAAA"],
    ["data:application/pdf;base64,AAAA"],
    ["data:video/mp4;base64,AAAA"],
    ["data:image/png;base64"],
    ["https://a.example/picture"],
    ["https://a.example/x.gif"],
    ["https://a.example/?file=x.png"],
    ["gs://bucket/x.png"],
    ["file:///etc/x.png"],
    ["https://generativelanguage.googleapis.com/v1beta/files/x.png"],
    ["https://GENERATIVELANGUAGE.googleapis.com./v1beta/files/x.png"],
    ["https://storage.googleapis.com/bucket/x.png"],
    ["x.png"],
    [""],
  ])("rejects %s and tells the client what to send", (url) => {
    expect(() => toImagePart(url, param)).toThrow(/`messages\.0\.content\.1\.image_url\.url`.*data URL/);
  });
});
