import { expect, it } from "vitest";
import { mountPrefix, pathInside } from "./mounted-request.ts";

it.each([
  ["/router/v1", "/router/v1/models", "/models"],
  ["/router/v1", "/router/v1/models?x=/own", "/models"],
  ["/router/v1", "/router/v1/", "/"],
  ["/router/v1", "/router/v1", undefined],
  ["/router/v1", "/router/v1x/models", undefined],
  ["/router/v1", "/other?path=/router/v1/models", undefined],
  ["", "/chat/completions?a=1", "/chat/completions"],
  ["/router/v1", "http://host.test/router/v1/models?x=1", "/models"],
  ["", "HTTPS://host.test:8443/models", "/models"],
  ["/router/v1", "http://host.test?x=/router/v1/models", undefined],
  ["/router/v1", "ftp://host.test/router/v1/models", undefined],
])("inside %s, %s is %s", (prefix, url, path) => {
  expect(pathInside(prefix, url)).toBe(path);
});

it.each(["/router/v1", "/router/v1/", "router/v1", "//router/v1//"])("reads %s as /router/v1", (written) => {
  expect(mountPrefix(written)).toBe("/router/v1");
});

it.each(["", "/"])('reads "%s" as the root', (written) => {
  expect(mountPrefix(written)).toBe("");
});
