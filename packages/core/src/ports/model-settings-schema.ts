import * as v from "valibot";
import { optionMembers } from "../options/members.ts";
import { byKind, chatSettings, embeddingSettings, imageTokensWithVision } from "./model-schema.ts";

/** The schema of the settings of a model, which are its members except its id, price and targets. */
export const modelSettingsSchema = byKind(
  v.pipe(optionMembers("the option `settings`", chatSettings), imageTokensWithVision()),
  optionMembers("the option `settings` of an embedding model", embeddingSettings),
);
