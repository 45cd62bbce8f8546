import type { MovingShard } from "./moving-shard.ts";

/** Throws an error unless the copy in the target is what the source has. Both are text that describes the rows. */
export function requireEqual(
  what: string,
  [source, own]: readonly [shard: MovingShard, found: string | undefined],
  [target, copied]: readonly [shard: MovingShard, found: string | undefined],
): void {
  if (own === copied) return;
  throw new Error(
    `${what} of account "${source.account}" differ: "${own ?? "none"}" in shard "${source.name}", and "${copied ?? "none"}" in shard "${target.name}". The account stays where it was. Move it again, and if that fails too, compare the tables of both shards.`,
  );
}
