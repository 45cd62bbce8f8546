import type { Case } from "../case.ts";
import { abortCases } from "./aborts.ts";
import { breakCases } from "./breaks.ts";
import { capCases } from "./caps.ts";
import { clockCases } from "./clocks.ts";
import { countTokensCases } from "./count-tokens.ts";
import { crashCases } from "./crashes.ts";
import { estimateCases } from "./estimates.ts";
import { failoverCases } from "./failovers.ts";
import { freezeCases } from "./freezes.ts";
import { keyChangeCases } from "./key-changes.ts";
import { otherApiCases } from "./other-apis.ts";
import { otherPathCases } from "./other-paths.ts";
import { outageCases } from "./outages.ts";
import { overspendCases } from "./overspend.ts";
import { pauseCases } from "./pauses.ts";
import { paymentCases } from "./payments.ts";
import { priceCases } from "./prices.ts";
import { storedResponseCases } from "./stored-responses.ts";
import { toldCases } from "./told.ts";
import { usageCases } from "./usage.ts";

/** All cases of the suite, by group. */
export const cases: readonly Case[] = [
  ...toldCases,
  ...overspendCases,
  ...capCases,
  ...usageCases,
  ...estimateCases,
  ...priceCases,
  ...abortCases,
  ...breakCases,
  ...crashCases,
  ...otherApiCases,
  ...otherPathCases,
  ...countTokensCases,
  ...storedResponseCases,
  ...keyChangeCases,
  ...freezeCases,
  ...paymentCases,
  ...clockCases,
  ...outageCases,
  ...pauseCases,
  ...failoverCases,
];
