import * as v from "valibot";
import { noBody } from "../routes/read-body.ts";
import { noQuery } from "../routes/read-query.ts";
import { defineRoute } from "../routes/route.ts";
import { askStore, requireStore } from "../stores.ts";

const timeoutMs = 120_000;

/** POST /ledger/verify: checks every entry, which may take a while. It changes nothing. */
export const verifyLedger = defineRoute({
  name: "ledger.verify",
  method: "POST",
  path: "/ledger/verify",
  role: "admin",
  summary: "Checks the whole ledger for inconsistencies",
  query: noQuery,
  body: noBody,
  answer: v.strictObject({
    ok: v.boolean(),
    violations: v.array(v.strictObject({ account: v.string(), problem: v.string() })),
  }),
  async handle(services) {
    const balances = requireStore(services, "balances");
    const patient = { ...services, storeTimeoutMs: timeoutMs };
    const violations = await askStore(patient, () => balances.verify());
    return {
      ok: violations.length === 0,
      violations: violations.map(({ account, problem }) => ({ account, problem })),
    };
  },
});
