import * as v from "valibot";
import { wholeNumber } from "../options/leaves.ts";
import { optionMembers } from "../options/members.ts";

const attemptMembers = {
  connectMs: v.exactOptional(wholeNumber()),
  firstFrameMs: v.exactOptional(wholeNumber()),
  headMs: v.exactOptional(wholeNumber()),
  idleMs: v.exactOptional(wholeNumber()),
};

/** The schema of AttemptLimits, the limits of one target. `totalMs` applies to all targets together, so it is not a member. */
export const attemptLimits = optionMembers("a target's limits, which leave `totalMs` to its model", attemptMembers);

/** The schema of UpstreamLimits, the limits of a gateway or a model. */
export const upstreamLimits = optionMembers("`upstream`", {
  ...attemptMembers,
  totalMs: v.exactOptional(wholeNumber()),
});
