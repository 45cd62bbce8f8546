import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { browserTokens } from "@tollgate/browser-tokens";
import { createGateway } from "@tollgate/core";
import { tollgate } from "@tollgate/express";
import express, { type Request } from "express";
import { keys, options } from "./gateway.ts";
import { accountOf } from "./login-cookie.ts";
import { site } from "./site.ts";

/** Answers what the elements of the page ask. Tokens end with the process, and then the page gets another. */
export const pageGateway = createGateway({
  ...options,
  currency: "USD",
  extensions: [browserTokens({ secret: randomBytes(32).toString("base64"), origins: [site] })],
});

/** The page / with balance, usage and offers of who is logged in. */
export const homePage: express.Router = express.Router();
const files = {
  "/elements.js": fileURLToPath(import.meta.resolve("@tollgate/elements")),
  "/elements-page.mjs": fileURLToPath(new URL("elements-page.mjs", import.meta.url)),
};

homePage.use("/page/v1", tollgate(pageGateway));
for (const [path, file] of Object.entries(files)) homePage.get(path, (_, response) => response.sendFile(file));
homePage.get("/", async (request, response) => {
  // The portal shows the login to strangers, and lets new customers buy and create their first key.
  if ((await firstKey(request)) === undefined) return response.redirect(303, "/account/");
  return response.set("cache-control", "no-store").send(html);
});
homePage.get("/browser-token", async (request, response) => {
  const keyId = await firstKey(request);
  if (keyId === undefined) return response.status(401).send("Log in, and create a key.");
  const { token } = await pageGateway.browserTokens.create({ keyId, scopes: ["account:read"] });
  return response.set("cache-control", "no-store").type("text").send(token);
});

/** The id of an active key of the account that is logged in. */
async function firstKey({ headers }: Request): Promise<string | undefined> {
  const account = accountOf(headers.cookie);
  if (account === undefined) return undefined;
  return (await keys.list({ account, limit: 1, state: "active" })).keys[0]?.id;
}

const html = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Acme</title>
<script type="importmap">{ "imports": { "@tollgate/elements": "/elements.js" } }</script>
<script type="module" src="/elements-page.mjs"></script>
<h1>Acme</h1>
<tollgate-balance router-url="/page/v1"></tollgate-balance>
<tollgate-usage router-url="/page/v1" currency="USD" days="7"></tollgate-usage>
<tollgate-buy payments-url="/payments" currency="USD"></tollgate-buy>
<p><a href="/account/">Your keys and payments</a> <a href="/logout">Log out</a></p></html>`;
