import { type Awaitable, arrayOf, functionValue, optionMembers, wholeNumber } from "@tollgate/core/internal";
import type { Notice } from "@tollgate/core/store";
import * as v from "valibot";

/** A type of the gateway's notices, such as "balance.low". */
export type NoticeType = Notice["type"];

/** Which notices of the gateway a customer wants, and to which address. */
export interface NoticeSettings {
  /** Null: the customer gave none, and wants no mail. */
  readonly email: string | null;
  readonly types: readonly NoticeType[];
  /** The percentages of a spend limit of which the customer wants a "spend.threshold". */
  readonly thresholds: readonly number[];
}

/** The host's own storage of what customers want to be told. The gateway and the portal keep none of it. */
export interface PortalNotices {
  /** The percentages that a customer may choose: those of the option `notices` of the gateway. Default: 50, 80 and 100. */
  readonly thresholds?: readonly number[];
  /** Returns the settings of an account; undefined if it has saved none. */
  find(account: string): Awaitable<NoticeSettings | undefined>;
  /** Replaces the settings of an account. Idempotent. */
  save(account: string, settings: NoticeSettings): Awaitable<void>;
}

/** The schema of the option `notices`. */
export const noticesOption = optionMembers("the option `notices`", {
  thresholds: v.exactOptional(arrayOf("percentages", wholeNumber(1, 100))),
  find: functionValue<PortalNotices["find"]>("Pass (account) => the settings that you have stored, or undefined"),
  save: functionValue<PortalNotices["save"]>("Pass (account, settings) => ... and store them"),
});

const defaultThresholds = [50, 80, 100];

/** Returns the option with its default, and the percentages in their order. */
export const noticesOf = ({ thresholds = defaultThresholds, find, save }: PortalNotices): Required<PortalNotices> => ({
  thresholds: [...new Set(thresholds)].sort((a, b) => a - b),
  find,
  save,
});
