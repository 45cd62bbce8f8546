import express, { type Request } from "express";
import { gateway } from "./gateway.ts";

/** Serves the page that `acceptUrl` names. `accountOf` reads the account from your own login session. */
export function termsPage(accountOf: (request: Request) => string | undefined): express.Router {
  const router = express.Router();
  router.get("/terms", (_request, response) => {
    const { inForce, versions } = gateway.inspect().terms;
    const version = versions.find(({ id }) => id === inForce);
    if (version === undefined) return response.send("No terms have to be accepted.");
    return response.send(`<!doctype html>
<title>Terms</title>
<h1>Terms of ${version.version}</h1>
<form method="post"><button name="version" value="${version.id}">Accept</button></form>`);
  });
  router.post("/terms", express.urlencoded(), async (request, response) => {
    const account = accountOf(request);
    if (account === undefined) return response.redirect(303, "/login?return_to=/terms");
    if (request.get("sec-fetch-site") !== "same-origin") return response.status(403).send("Accept them on our page.");
    const { acceptedAt } = await gateway.terms.accept(account, String(request.body?.version));
    return response.send(`Accepted at ${acceptedAt.toISOString()}. Send your request again.`);
  });
  return router;
}
