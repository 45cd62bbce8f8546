import { Failure } from "../failure.ts";

/** The failure of an id that no key has; `or` is what else may be the matter. */
export const noSuchKey = (id: string, or = ""): Failure =>
  new Failure("not_found", `There is no key with the id ${JSON.stringify(id)}${or}. See \`tollgate keys list\`.`);
