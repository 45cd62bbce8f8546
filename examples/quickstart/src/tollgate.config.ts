import type { Records } from "@tollgate/cli";
import { plans } from "./offer.ts";
import { openStores } from "./stores.ts";

const stores = openStores(process.env);

/** What `npm run -s tollgate` works on: the stores of the quickstart, running or not. */
export default { ...stores, plans: plans.map(({ id }) => id) } satisfies Records;
