import type { AccountPlans } from "../ports/key-admin.ts";
import { type ApiKey, isKeyScope, type Limits } from "../ports/key-store.ts";
import { readSpendLimit } from "../ports/stored-json.ts";
import { isDialect } from "../wire/dialect.ts";
import { isFeature } from "../wire/feature.ts";
import { presentMembers } from "./key-members.ts";

/**
 * A key as a store reads it: models, features, dialects, scopes, limits, spend limit and tags as parsed JSON, and undefined for
 * what is absent.
 */
export interface StoredKey {
  readonly id: string;
  readonly account: string;
  readonly plan: string;
  readonly lastFour: string;
  readonly createdAt: Date;
  readonly name: string | undefined;
  readonly models: unknown;
  readonly features: unknown;
  readonly dialects: unknown;
  readonly scopes: unknown;
  readonly limits: unknown;
  /** As `writeSpendLimit` wrote it. */
  readonly spend: unknown;
  readonly tags: unknown;
  readonly logContent: boolean | undefined;
  readonly expiresAt: Date | undefined;
  readonly revokedAt: Date | undefined;
  readonly rotatedFrom: string | undefined;
  readonly limitsId: string | undefined;
}

/**
 * Returns the ApiKey of a stored key; what is undefined stays absent. Features, dialects and scopes that this version does
 * not know are left out, so the key never allows more than stored. Throws a TypeError for models, features, dialects, scopes,
 * limits, a spend limit or tags of another shape.
 */
export function readStoredKey(stored: StoredKey): ApiKey {
  const { id, account, plan, lastFour, createdAt, name, logContent, expiresAt, revokedAt, rotatedFrom, limitsId } =
    stored;
  const members = presentMembers({ ...storedRights(stored), name, logContent, expiresAt });
  return {
    id,
    account,
    plan,
    lastFour,
    createdAt,
    ...members,
    ...(revokedAt === undefined ? {} : { revokedAt }),
    ...(rotatedFrom === undefined ? {} : { rotatedFrom }),
    ...(limitsId === undefined ? {} : { limitsId }),
  };
}

function storedRights({ models, features, dialects, scopes, limits, spend, tags }: StoredKey) {
  return {
    models: models === undefined ? undefined : textList("models", models),
    features: features === undefined ? undefined : textList("features", features).filter(isFeature),
    dialects: dialects === undefined ? undefined : textList("dialects", dialects).filter(isDialect),
    scopes: scopes === undefined ? undefined : textList("scopes", scopes).filter(isKeyScope),
    limits: limits === undefined ? undefined : toLimits(limits),
    spend: spend === undefined ? undefined : readSpendLimit(spend),
    tags: tags === undefined ? undefined : textList("tags", tags),
  };
}

function textList(what: string, stored: unknown): readonly string[] {
  if (Array.isArray(stored) && stored.every((item) => typeof item === "string")) return stored;
  throw unreadable(what);
}

function toLimits(stored: unknown): Limits {
  if (isLimits(stored)) return stored;
  throw unreadable("limits");
}

function isLimits(stored: unknown): stored is Limits {
  if (!isRecord(stored)) return false;
  const { requests, tokens, concurrency } = stored;
  return isAbsentOr(isWindow, requests) && isAbsentOr(isWindow, tokens) && isAbsentOr(isNumber, concurrency);
}

const isWindow = (stored: unknown): boolean =>
  isRecord(stored) && isNumber(stored["limit"]) && isAbsentOr(isNumber, stored["windowSeconds"]);

const isAbsentOr = (holds: (stored: unknown) => boolean, stored: unknown): boolean =>
  stored === undefined || holds(stored);

const isNumber = (stored: unknown): boolean => typeof stored === "number";

const isRecord = (stored: unknown): stored is Readonly<Record<string, unknown>> =>
  typeof stored === "object" && stored !== null && !Array.isArray(stored);

const unreadable = (what: string): TypeError =>
  new TypeError(`The stored ${what} of an API key have an unexpected shape. Correct the row, or create the key again.`);

/** A plan of the keys of an account. `isActive`: one of these keys is active. */
export interface PlanRow {
  readonly account: string;
  readonly plan: string;
  readonly isActive: boolean;
}

/** Groups plans by account, in the order of the rows. */
export function groupPlans(rows: readonly PlanRow[]): readonly AccountPlans[] {
  const plans = new Map<string, string[]>();
  for (const { account, plan, isActive } of rows) {
    const known = plans.get(account) ?? [];
    plans.set(account, known);
    if (isActive) known.push(plan);
  }
  return [...plans].map(([id, ofAccount]) => ({ id, plans: ofAccount }));
}
