import { allPairs } from "../../support/all-pairs.ts";
import { expressMounts } from "./express-mounts.ts";
import { fastifyMounts } from "./fastify-mount.ts";
import { fetchMount } from "./fetch-mount.ts";
import { honoMounts } from "./hono-mount.ts";
import type { Capability, Mount, Variant } from "./mount.ts";
import { nodeMounts } from "./node-mount.ts";

const variants: readonly Variant[] = ["plain", "parsed", "middleware"];

/** Every mount on real sockets. */
export const mounts: readonly Mount[] = [...nodeMounts, ...expressMounts, ...fastifyMounts, ...honoMounts, fetchMount];

const everyWay = mounts.flatMap((mount) =>
  variants.map((variant) => ({ title: `${mount.name}, ${variant}`, mount, variant })),
);

/**
 * Every framework with every variant and every edge, and every variant with every edge. With FAULTS=long, every mount in every
 * variant. For what depends on how a framework reads and writes.
 */
export const mounted =
  process.env["FAULTS"] === "long"
    ? everyWay
    : allPairs(everyWay, ({ mount, variant }) => [...mount.name.split(", "), variant]);

/** Every mount without anything else in front of it. */
export const mountedPlain = everyWay.filter(({ variant }) => variant === "plain");

/** Every mount, each in one variant. For APIs, whose requests and answers take the same way as completions. */
export const mountedOnce = everyWay.filter(
  ({ mount, variant }) => variants.indexOf(variant) === mounts.indexOf(mount) % variants.length,
);

/** Every mount that has a capability, each in one variant. */
export const mountedWith = (capability: Capability) =>
  mountedOnce.filter(({ mount }) => mount.without?.[capability] === undefined);
