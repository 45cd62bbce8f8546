import { createGateway } from "@tollgate/core";
import type { TermsVersion } from "@tollgate/core/store";
import { tollgate } from "@tollgate/express";
import express from "express";
import { options } from "./gateway.ts";
import { terms } from "./stores-in-sqlite.ts";

const versions: readonly TermsVersion[] = [
  {
    id: "terms-2026-01",
    version: "January 2026",
    enforcementAt: new Date("2026-01-01T00:00:00Z"),
    acceptUrl: "https://acme.example/terms",
  },
  {
    id: "terms-2099-01",
    version: "January 2099",
    enforcementAt: new Date("2099-01-01T00:00:00Z"),
    acceptUrl: "https://acme.example/terms",
  },
];

export const gateway = createGateway({ ...options, terms: { store: terms, versions } });

export const app: express.Express = express();
app.use("/router/v1", tollgate(gateway));

// Your own page. Read the account from your own login session, never from the request body.
app.post("/terms/accept", async (_request, response) => {
  const { acceptedAt } = await gateway.terms.accept("customer-17", "terms-2026-01");
  response.json({ acceptedAt });
});
