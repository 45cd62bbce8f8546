import type { Records } from "@tollgate/cli";
import { plans } from "./offer.ts";
import { openStores } from "./stores.ts";

const stores = openStores(process.env);

/** The config of `npm run -s tollgate`: the stores of the quickstart, whether it runs or not. */
export default { ...stores, plans: plans.map(({ id }) => id) } satisfies Records;
