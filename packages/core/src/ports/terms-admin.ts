import type { Awaitable } from "../runtime/awaitable.ts";
import type { TermsAcceptance } from "./terms-store.ts";

/** The position of an acceptance, ascending. The cursor of {@link TermsAdmin.acceptances}. */
export type AcceptancePosition = Pick<TermsAcceptance, "account" | "versionId">;

/** One page of acceptances, ordered by account and version as bytes; `next` is absent on the last page. */
export interface AcceptancePage {
  readonly acceptances: readonly TermsAcceptance[];
  readonly next?: AcceptancePosition;
}

/** Port: lists who has accepted which version of the terms. A throw is an outage. */
export interface TermsAdmin {
  /** Returns acceptances of an account, of a version, or all, after a position that need not exist. */
  listAcceptances(query: {
    readonly account?: string;
    readonly versionId?: string;
    readonly limit: number;
    readonly after?: AcceptancePosition;
  }): Awaitable<AcceptancePage>;
}
