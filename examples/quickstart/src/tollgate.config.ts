import type { OpenProof, Records } from "@tollgate/cli";
import { offeredModels, plans } from "./offer.ts";
import { openStores } from "./stores.ts";
import { chooseUpstream } from "./upstream.ts";

/** The config of `npm run -s tollgate`: the stores of the quickstart, whether it runs or not. */
export default (): Records => ({ ...openStores(process.env), plans: plans.map(({ id }) => id) });

/** Stores for `npm run -s tollgate -- prove` in a folder of their own, and the models whose prices it charges. */
export const prove: OpenProof = async ({ folder }) => {
  const models = offeredModels(await chooseUpstream({ QUICKSTART_OFFLINE: "1" }));
  return { ...openStores({ QUICKSTART_DATA: folder }), models };
};
