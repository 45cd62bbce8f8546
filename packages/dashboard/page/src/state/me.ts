import { computed, type Signal, signal } from "@preact/signals";
import type { Me, Role } from "../api/answers.ts";

/** The person who is signed in; undefined while it is loading. */
export const me: Signal<Me | undefined> = signal(undefined);

/** The currency of all amounts; null if the host did not name it. */
export const currency = computed(() => me.value?.currency ?? null);

/** Adds the currency to the label of an amount. */
export const amountLabel = (label: string): string =>
  currency.value === null ? label : `${label} (${currency.value})`;

const rank: Readonly<Record<Role, number>> = { viewer: 0, operator: 1, admin: 2 };

/** True if the signed-in person has at least this role. */
export const may = (role: Role): boolean => me.value !== undefined && rank[me.value.role] >= rank[role];

/**
 * Returns the whole URL of the router or of the session endpoints, without a slash at its end. The host may name a path,
 * which is one of the page's own origin. Null if the host names nothing.
 */
export function servedUrl(name: "router_url" | "sessions_url"): string | null {
  const named = me.value?.[name] ?? null;
  return named === null ? null : new URL(named, window.location.href).href.replace(/\/$/, "");
}
