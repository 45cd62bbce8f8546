import { expect, it } from "vitest";
import { slashRedirect } from "./slash-redirect.ts";

it.each([
  ["/tollgate", "./tollgate/"],
  ["/ops/tollgate?id=1?2", "./tollgate/?id=1?2"],
  ["https://host.test/ops/tollgate", "./tollgate/"],
  ["/ops/a:b", "./a:b/"],
  ["//evil.test", "./evil.test/"],
  ["/tollgate/", undefined],
  ["/tollgate/?a=/b", undefined],
  ["https://host.test", undefined],
])("redirects %s to %s", (url, location) => {
  expect(slashRedirect(url)).toBe(location);
});

it("stays below the origin, whatever the path is", () => {
  for (const url of ["//evil.test", "/\\evil.test", "/x//evil.test"]) {
    const location = slashRedirect(url) ?? "";
    expect(new URL(location, "https://host.test/").origin).toBe("https://host.test");
  }
});
