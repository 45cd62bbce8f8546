import type { ApiKey, Limits } from "../ports/key-store.ts";
import { isFeature } from "./features.ts";

/** What a store kept of a key: its rights as they came out of JSON, and undefined where nothing was kept. */
export interface KeptKey {
  readonly id: string;
  readonly account: string;
  readonly plan: string;
  readonly lastFour: string;
  readonly createdAt: Date;
  readonly name: string | undefined;
  readonly models: unknown;
  readonly features: unknown;
  readonly limits: unknown;
  readonly expiresAt: Date | undefined;
  readonly revokedAt: Date | undefined;
  readonly rotatedFrom: string | undefined;
}

/**
 * A key out of its store; what is undefined stays absent. A feature that this version does not know is left out: the
 * key may do less here, and never more. Throws a TypeError for rights that no key was made with.
 */
export function keptKey(kept: KeptKey): ApiKey {
  const { id, account, plan, lastFour, createdAt, name, expiresAt, revokedAt, rotatedFrom } = kept;
  return {
    id,
    account,
    plan,
    lastFour,
    createdAt,
    ...keptRights(kept),
    ...(name === undefined ? {} : { name }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(revokedAt === undefined ? {} : { revokedAt }),
    ...(rotatedFrom === undefined ? {} : { rotatedFrom }),
  };
}

function keptRights(kept: KeptKey): Pick<ApiKey, "models" | "features" | "limits"> {
  return {
    ...(kept.models === undefined ? {} : { models: textList("models", kept.models) }),
    ...(kept.features === undefined ? {} : { features: textList("features", kept.features).filter(isFeature) }),
    ...(kept.limits === undefined ? {} : { limits: toLimits(kept.limits) }),
  };
}

function textList(what: string, kept: unknown): readonly string[] {
  if (Array.isArray(kept) && kept.every((item) => typeof item === "string")) return kept;
  throw unreadable(what);
}

function toLimits(kept: unknown): Limits {
  if (isLimits(kept)) return kept;
  throw unreadable("limits");
}

function isLimits(kept: unknown): kept is Limits {
  if (!isRecord(kept)) return false;
  const { requests, tokens, concurrency } = kept;
  return isAbsentOr(isWindow, requests) && isAbsentOr(isWindow, tokens) && isAbsentOr(isNumber, concurrency);
}

const isWindow = (kept: unknown): boolean =>
  isRecord(kept) && isNumber(kept["limit"]) && isAbsentOr(isNumber, kept["windowSeconds"]);

const isAbsentOr = (holds: (kept: unknown) => boolean, kept: unknown): boolean => kept === undefined || holds(kept);

const isNumber = (kept: unknown): boolean => typeof kept === "number";

const isRecord = (kept: unknown): kept is Readonly<Record<string, unknown>> =>
  typeof kept === "object" && kept !== null && !Array.isArray(kept);

const unreadable = (what: string): TypeError =>
  new TypeError(`The ${what} of an API key are not as they were kept. Was its store changed by hand?`);
