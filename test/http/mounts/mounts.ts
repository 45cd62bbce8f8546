import { expressMounts } from "./express-mounts.ts";
import { fastifyMount } from "./fastify-mount.ts";
import { honoMount } from "./hono-mount.ts";
import type { Mount, Variant } from "./mount.ts";
import { nodeMount } from "./node-mount.ts";

const variants: readonly Variant[] = ["plain", "parsed", "dressed"];

/** Every way of mounting on real sockets, in every variant. */
export const mounted = [nodeMount, ...expressMounts, fastifyMount, honoMount].flatMap((mount: Mount) =>
  variants.map((variant) => ({ title: `${mount.name}, ${variant}`, mount, variant })),
);
