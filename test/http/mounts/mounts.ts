import { expressMounts } from "./express-mounts.ts";
import { fastifyMounts } from "./fastify-mount.ts";
import { fetchMount } from "./fetch-mount.ts";
import { honoMounts } from "./hono-mount.ts";
import type { Capability, Mount, Variant } from "./mount.ts";
import { nodeMounts } from "./node-mount.ts";

const variants: readonly Variant[] = ["plain", "parsed", "middleware"];

/** Every mount on real sockets. */
export const mounts: readonly Mount[] = [...nodeMounts, ...expressMounts, ...fastifyMounts, ...honoMounts, fetchMount];

/** Every mount, in every variant. */
export const mounted = mounts.flatMap((mount) =>
  variants.map((variant) => ({ title: `${mount.name}, ${variant}`, mount, variant })),
);

/** The mounts that have a capability. */
export const mountedWith = (capability: Capability) =>
  mounted.filter(({ mount }) => mount.without?.[capability] === undefined);
