import * as v from "valibot";
import { wholeNumber } from "../options/leaves.ts";
import { optionMembers } from "../options/members.ts";

const ofAttempts = {
  connectMs: v.exactOptional(wholeNumber()),
  firstFrameMs: v.exactOptional(wholeNumber()),
  headMs: v.exactOptional(wholeNumber()),
  idleMs: v.exactOptional(wholeNumber()),
};

/** The schema of AttemptLimits, those of one target. The total counts all targets, so it is not among them. */
export const attemptLimits = optionMembers("a target's limits, which leave `totalMs` to its model", ofAttempts);

/** The schema of UpstreamLimits, those of a gateway or a model. */
export const upstreamLimits = optionMembers("`upstream`", { ...ofAttempts, totalMs: v.exactOptional(wholeNumber()) });
