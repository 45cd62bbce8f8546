import { Failure } from "../failure.ts";

/** The failure for an unknown id. `or` adds another possible cause. */
export const noSuchKey = (id: string, or = ""): Failure =>
  new Failure("not_found", `There is no key with the id ${JSON.stringify(id)}${or}. See \`tollgate keys list\`.`);
