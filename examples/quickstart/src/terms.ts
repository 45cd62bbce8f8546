import type { Gateway } from "@tollgate/core";
import type { KeyAdmin, TermsVersion } from "@tollgate/core/store";
import express, { type ErrorRequestHandler, type Request, type Response, type Router } from "express";
import { isJsonObject } from "./json-object.ts";
import { renderPage } from "./terms-page.ts";

/** The path of the page on which terms are accepted. */
export const termsPath = "/terms";

/** The id of the version in force. */
export const versionId = "terms-2026-01";

/** The terms in force, accepted on a page of this host. */
export const termsOf = (origin: string): readonly TermsVersion[] => [
  {
    id: versionId,
    version: "January 2026",
    enforcementAt: new Date("2026-01-01T00:00:00Z"),
    acceptUrl: `${origin}${termsPath}`,
  },
];

/**
 * The page of the terms. GET shows it, POST accepts for the account that the form or the query names, the newcomer's
 * when neither does. A real host would take the account from its own session instead.
 */
export function termsRouter(gateway: Gateway, keys: KeyAdmin, newcomer: string): Router {
  const router = express.Router();
  router.get(termsPath, (request, response) => {
    response.type("html").send(renderPage({ account: accountOf(request) ?? newcomer }));
  });
  router.post(termsPath, express.urlencoded({ limit: "4kb" }), async (request, response) => {
    const account = accountOf(request) ?? newcomer;
    const { keys: some } = await keys.list({ account, limit: 1 });
    if (some.length === 0) return refuse(response, account);
    const { acceptedAt } = await gateway.terms.accept(account, versionId);
    say(response, account, `The account "${account}" accepted the terms at ${acceptedAt.toISOString()}.`);
  });
  router.use(termsPath, explainUnreadable);
  return router;
}

/** Without it Express would answer a form that it cannot read with a stack. */
const explainUnreadable: ErrorRequestHandler = (_fault, _request, response, _next) => {
  response.status(400);
  say(response, "", 'The form could not be read. Send the field "account" as a form, or nothing.');
};

function accountOf({ body, query }: Request): string | undefined {
  const form: unknown = body;
  const named = isJsonObject(form) && "account" in form ? form["account"] : query["account"];
  return typeof named === "string" && named !== "" ? named : undefined;
}

function refuse(response: Response, account: string): void {
  response.status(404);
  say(response, account, `No key has the account "${account}". Name one that has, or make a key for it first.`);
}

/** Plain text for curl, a page for a browser. */
function say(response: Response, account: string, sentence: string): void {
  response.format({
    "text/plain": () => response.send(`${sentence}\n`),
    "text/html": () => response.send(renderPage({ account, said: sentence })),
  });
}
