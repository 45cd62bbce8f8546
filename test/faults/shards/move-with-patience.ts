import type { MovedAccount, ShardedStores } from "@tollgate/postgres";

/** Moves an account, again if the machine is so busy that the move was undone because it took too long. */
export async function moveWithPatience(
  { shards }: Pick<ShardedStores, "shards">,
  account: string,
  to: string,
  tries = 5,
): Promise<MovedAccount> {
  try {
    return await shards.move(account, to);
  } catch (error) {
    if (tries === 1 || !String(error).includes("could not be copied within")) throw error;
    return moveWithPatience({ shards }, account, to, tries - 1);
  }
}
