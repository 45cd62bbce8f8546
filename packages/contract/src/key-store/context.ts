import type { IssuedKey, KeyAdmin, KeyStore, NewKey } from "@tollgate/core/store";
import type { OpenedFully } from "../suite.ts";

/** What a case of the key suite works with. */
export interface KeyContext extends OpenedFully<KeyStore & KeyAdmin> {
  /** An account of this case alone. */
  readonly account: string;
  issue(more?: Partial<NewKey>): Promise<IssuedKey>;
}
