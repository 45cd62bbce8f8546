import { change } from "../../api/client.ts";
import type { PlaygroundTarget } from "./target.ts";

/** A key of five minutes. */
interface TemporaryKey {
  readonly secret: string;
  readonly expires_at: string;
}

/** A key is not used in its last seconds, so that a request does not outlive it. */
const reserveMs = 30_000;
let known: { readonly owner: string; readonly key: TemporaryKey } | undefined;

/** Returns the secret of a key of five minutes on an account, which the audit log records. It is kept in memory alone. */
export async function temporaryKey({ account, plan }: PlaygroundTarget): Promise<string> {
  const owner = JSON.stringify([account, plan]);
  if (known?.owner === owner && Date.parse(known.key.expires_at) - reserveMs > Date.now()) return known.key.secret;
  known = { owner, key: await change<TemporaryKey>("POST", "playground/keys", { account, plan }) };
  return known.key.secret;
}
