import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { CookieOptions } from "express";
import { site } from "./site.ts";

// Without SESSION_SECRET, a restart logs everybody out.
const secret = process.env["SESSION_SECRET"] ?? randomBytes(32).toString("base64");
if (secret.length < 32) throw new TypeError("SESSION_SECRET is too short. Make one: openssl rand -base64 32");

const lifeMs = 7 * 86_400_000;

/** The name of the cookie that says who is logged in. */
export const cookieName = "shop_login";

/** Scripts cannot read it, and other sites cannot send it with a POST. "strict" would log out who comes back from Stripe. */
export const cookieOptions: CookieOptions = { httpOnly: true, sameSite: "lax", secure: site.startsWith("https:") };

/** Returns the value of the cookie of a user: the name and the end in milliseconds, signed with HMAC-SHA-256. */
export function loginCookie(name: string, now = Date.now()): string {
  const text = `${name}.${now + lifeMs}`;
  return `${text}.${sign(text).toString("base64url")}`;
}

/** Returns the account that is logged in by the header `Cookie`; undefined if nobody is. */
export function accountOf(cookie: string | undefined, now = Date.now()): string | undefined {
  const [, text = "", name, end, signature = ""] =
    /(?:^|; )shop_login=(([a-z0-9-]+)\.(\d+))\.([\w-]+)(?:;|$)/.exec(cookie ?? "") ?? [];
  const [given, own] = [Buffer.from(signature, "base64url"), sign(text)];
  const isGenuine = given.length === own.length && timingSafeEqual(given, own);
  return isGenuine && Number(end) > now ? name : undefined;
}

const sign = (text: string): Buffer => createHmac("sha256", secret).update(text).digest();
