import { errorTable, GatewayError } from "@tollgate/core";
import type { Request, Response } from "express";
import { gateway } from "../../shop/src/gateway.ts";

/** Sells a report. `accountOf` reads the account from your own login session. */
export const sellReport = (accountOf: (request: Request) => string) => async (request: Request, response: Response) => {
  const id = `report-${request.params["id"]}`;
  try {
    await gateway.charges.charge({ account: accountOf(request), id, amount: "2.50", description: "A report" });
    response.json({ report: "..." });
  } catch (error) {
    if (!GatewayError.is(error)) throw error;
    response.status(errorTable[error.code].status).json({ error: error.message });
  }
};
