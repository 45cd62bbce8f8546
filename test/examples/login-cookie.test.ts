import { expect, it } from "vitest";
import { accountOf, cookieName, loginCookie } from "../../examples/shop/src/login-cookie.ts";

const week = 7 * 86_400_000;
const cookie = `other=1; ${cookieName}=${loginCookie("ann", 0)}`;

it("says who is logged in for a week", () => {
  expect([accountOf(cookie, 1), accountOf(cookie, week - 1), accountOf(cookie, week)]).toEqual([
    "ann",
    "ann",
    undefined,
  ]);
});

it("is nobody's with another name, another end, without a signature, or under another name of a cookie", () => {
  const changed = [
    ["ann.", "bob."],
    [`.${week}.`, `.${week + 1}.`],
    [/\.[^.]*$/, "."],
    [cookieName, `x${cookieName}`],
  ] as const;
  expect(changed.map(([from, to]) => accountOf(cookie.replace(from, to), 1))).toEqual(changed.map(() => undefined));
  expect(accountOf(undefined)).toBeUndefined();
});
