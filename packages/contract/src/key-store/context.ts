import type { IssuedKey, KeyAdmin, KeyStore, NewKey } from "@tollgate/core/store";
import type { OpenedWithDefaults } from "../suite.ts";

/** The context of a case of the key suite. */
export interface KeyContext extends OpenedWithDefaults<KeyStore & KeyAdmin> {
  /** An account that only this case uses. */
  readonly account: string;
  issue(overrides?: Partial<NewKey>): Promise<IssuedKey>;
}
