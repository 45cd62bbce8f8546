import { expect, it } from "vitest";
import { isImageUrl } from "./read-message.ts";

it.each([
  "https://images.example/1.png",
  "HTTP://images.example:8080/a%20b?c=d#e",
  "https://bücher.example/ä",
  "data:image/png;base64,iVBORw0KGgo=",
  "DATA:image/svg+xml;charset=utf-8,%3Csvg/%3E",
  `data:image/jpeg;base64,${"A".repeat(5_000_000)}`,
])("accepts %.40s", (url) => expect(isImageUrl(url)).toBe(true));

it.each([
  "",
  "images.example/1.png",
  "/1.png",
  "ftp://images.example/1",
  "javascript:alert(1)",
  "file:///etc/passwd",
  "https://",
  "https:///x y",
  "https://images.example/a\nb",
  " https://images.example/",
  "data:text/html,<b>",
  "data:,x",
  "data:image/png;base64",
  "data:image/png;base64,AA AA",
  `https://images.example/${"a".repeat(20_000)}`,
])("rejects %.40s", (url) => expect(isImageUrl(url)).toBe(false));
