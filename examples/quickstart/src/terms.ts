import type { Gateway } from "@tollgate/core";
import type { KeyAdmin, TermsVersion } from "@tollgate/core/store";
import express, { type ErrorRequestHandler, type Request, type Response, type Router } from "express";
import { isJsonObject } from "./json-object.ts";
import { renderPage } from "./terms-page.ts";

/** The path of the page on which the terms are accepted. */
export const termsPath = "/terms";

/** The id of the version in force. */
export const versionId = "terms-2026-01";

/** The versions of the terms, which are accepted on a page of this host. */
export const termsOf = (origin: string): readonly TermsVersion[] => [
  {
    id: versionId,
    version: "January 2026",
    enforcementAt: new Date("2026-01-01T00:00:00Z"),
    acceptUrl: `${origin}${termsPath}`,
  },
];

/**
 * Serves the page of the terms. GET shows it. POST accepts the terms for the account in the form or the query, or else for
 * `defaultAccount`. A real host would take the account from its own login session instead.
 */
export function termsRouter(gateway: Gateway, keys: KeyAdmin, defaultAccount: string): Router {
  const router = express.Router();
  router.get(termsPath, (request, response) => {
    response.type("html").send(renderPage({ account: accountOf(request) ?? defaultAccount }));
  });
  router.post(termsPath, express.urlencoded({ limit: "4kb" }), async (request, response) => {
    const account = accountOf(request) ?? defaultAccount;
    const { keys: found } = await keys.list({ account, limit: 1 });
    if (found.length === 0) return rejectAccount(response, account);
    const { acceptedAt } = await gateway.terms.accept(account, versionId);
    sendMessage(response, account, `The account "${account}" accepted the terms at ${acceptedAt.toISOString()}.`);
  });
  router.use(termsPath, rejectInvalidForm);
  return router;
}

/** Without this handler, Express would answer an invalid form with a stack trace. */
const rejectInvalidForm: ErrorRequestHandler = (_error, _request, response, _next) => {
  response.status(400);
  sendMessage(response, "", 'The form could not be read. Send the field "account" as a form, or nothing.');
};

function accountOf({ body, query }: Request): string | undefined {
  const form: unknown = body;
  const named = isJsonObject(form) && "account" in form ? form["account"] : query["account"];
  return typeof named === "string" && named !== "" ? named : undefined;
}

function rejectAccount(response: Response, account: string): void {
  response.status(404);
  sendMessage(
    response,
    account,
    `The account "${account}" has no key. Name another account, or create a key for it first.`,
  );
}

/** Sends plain text to curl, and the page to a browser. */
function sendMessage(response: Response, account: string, message: string): void {
  response.format({
    "text/plain": () => response.send(`${message}\n`),
    "text/html": () => response.send(renderPage({ account, message })),
  });
}
