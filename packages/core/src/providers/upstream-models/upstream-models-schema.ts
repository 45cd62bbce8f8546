import * as v from "valibot";
import { arrayOf, filledText, functionValue, wanted, wholeNumber } from "../../options/leaves.ts";
import { optionMembers } from "../../options/members.ts";
import { modelListSchema, priceSchema, providerSchema } from "../../ports/model-schema.ts";
import { modelSettingsSchema } from "../../ports/model-settings-schema.ts";
import type { Transport } from "../../ports/transport.ts";
import { isJsonObject } from "../../wire/json.ts";
import { openaiMembers } from "../openai-options-schema.ts";
import type { ModelSettings, Offer } from "./offered-models.ts";

const settingsOf = functionValue<Extract<Offer["settings"], (...args: never) => unknown>>(
  "Give (id, entry) => settings.",
);

const allowed = functionValue<(id: string) => boolean>("Give (id) => boolean, or an array of ids.");

const isObject = v.custom<Readonly<Record<string, unknown>>>(
  isJsonObject,
  wanted("must be an object of price lists by the upstream's id"),
);

/** The schema of UpstreamModelsOptions. */
export const upstreamModelsSchema = optionMembers("the options of upstreamModels", {
  ...openaiMembers,
  allow: v.exactOptional(v.lazy((value) => (typeof value === "function" ? allowed : arrayOf("ids", filledText)))),
  prices: v.pipe(isObject, v.record(v.string(), priceSchema)),
  prefix: v.exactOptional(v.string(wanted("must be a string"))),
  settings: v.lazy(
    (value): v.GenericSchema<unknown, ModelSettings | Extract<Offer["settings"], (...args: never) => unknown>> =>
      typeof value === "function" ? settingsOf : modelSettingsSchema,
  ),
  provider: v.exactOptional(providerSchema),
  transport: v.exactOptional(functionValue<Transport>("Pass pooledTransport() of @tollgate/node, or leave it out.")),
  initial: v.exactOptional(modelListSchema),
  refreshMs: v.exactOptional(wholeNumber()),
  timeoutMs: v.exactOptional(wholeNumber()),
  onError: functionValue<(error: Error) => void>("Give (error) => void, which reports each failure in the background."),
});
