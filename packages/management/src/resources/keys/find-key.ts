import { GatewayError } from "@tollgate/core";
import type { ApiKey } from "@tollgate/core/store";
import { askStore, requireStore, type StoreCalls } from "../../stores.ts";

/** Returns a key. Throws 404 for an unknown id. */
export async function findKey(services: StoreCalls, id: string): Promise<ApiKey> {
  const keys = requireStore(services, "keys");
  return (await askStore(services, () => keys.get(id))) ?? unknownKey();
}

/** Throws the 404 for an unknown key. */
export function unknownKey(): never {
  throw new GatewayError("resource_not_found", "There is no key with this id. Use an id of GET /keys.");
}
