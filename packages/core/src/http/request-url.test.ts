import { expect, it } from "vitest";
import { urlOf } from "./request-url.ts";

it.each([
  "/router/v1/models?limit=2",
  "http://host.test/router/v1/models?limit=2",
  // URLs that servers build with an invalid `Host` header.
  "http://not a host/router/v1/models?limit=2",
  "HTTPS://[::1/router/v1/models?limit=2",
])("returns the path and query of %s", (url) => {
  const { pathname, searchParams } = urlOf(url);
  expect([pathname, searchParams.get("limit")]).toEqual(["/router/v1/models", "2"]);
});

it("does not read a host from two slashes at the start of a path", () => {
  expect(urlOf("//elsewhere.test/session").pathname).toBe("//elsewhere.test/session");
});
