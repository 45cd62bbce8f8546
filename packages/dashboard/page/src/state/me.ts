import { type Signal, signal } from "@preact/signals";
import { wholeUrl } from "@tollgate/page-kit/state/location.ts";
import type { Me, Role } from "../api/answers.ts";

/** The person who is signed in; undefined while it is loading. */
export const me: Signal<Me | undefined> = signal(undefined);

const rank: Readonly<Record<Role, number>> = { viewer: 0, operator: 1, admin: 2 };

/** True if the signed-in person has at least this role. */
export const may = (role: Role): boolean => me.value !== undefined && rank[me.value.role] >= rank[role];

/** Returns the whole URL of the router or of the session endpoints, without a slash at its end. Null if the host names none. */
export const servedUrl = (name: "router_url" | "sessions_url"): string | null => wholeUrl(me.value?.[name] ?? null);
