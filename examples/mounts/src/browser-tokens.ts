import { browserTokens } from "@tollgate/browser-tokens";
import { createGateway } from "@tollgate/core";
import { tollgate } from "@tollgate/express";
import express, { type Request, type Response } from "express";
import { options } from "../../shop/src/gateway.ts";

const origins = [process.env["PAGE_ORIGIN"] ?? "https://app.acme.example"];

export const gateway = createGateway({
  ...options,
  extensions: [browserTokens({ secret: process.env["TOKEN_SECRET"] ?? "", origins })],
});

/** A visitor of your page, and the key of the account that pays. */
export interface Visitor {
  readonly id: string;
  readonly keyId: string;
}

/** Creates the app. `visitorOf` is your login: it returns undefined for a request of nobody. */
export function appFor(visitorOf: (request: Request) => Visitor | undefined): express.Express {
  const app = express();
  app.use("/router/v1", tollgate(gateway));
  app.post("/token", async (request: Request, response: Response) => {
    const visitor = visitorOf(request);
    if (visitor === undefined) return void response.sendStatus(401);
    const { token, expiresAt } = await gateway.browserTokens.create({
      keyId: visitor.keyId,
      endUser: visitor.id,
      models: ["acme-small"],
      spendCap: "0.50",
    });
    response.set("cache-control", "no-store").json({ token, expiresAt });
  });
  return app;
}
