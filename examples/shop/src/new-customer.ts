import { parseAmount } from "@tollgate/core";
import { balances, gateway, keys } from "./gateway.ts";

const account = process.argv[2] ?? "customer-17";

const existing = await keys.list({ account, limit: 1 });
if (existing.keys.length > 0) throw new Error(`${account} has a key already. Rotate it, or name another account.`);

// Your sign-up page asks for this. Without it, requests are refused with 428.
await gateway.terms.accept(account, "terms-2026-01");
await balances.credit({ id: `${account}-first`, account, amount: parseAmount("5.00"), reason: "top-up" });
const { secret } = await keys.create({ account, plan: "prepaid" });
console.log(`API key of ${account}, which is shown only once: ${secret}`);
