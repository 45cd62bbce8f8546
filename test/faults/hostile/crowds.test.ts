import { describe, it } from "vitest";
import { form } from "../form.ts";
import { attackedMounts } from "./attacked-mounts.ts";
import { idleStreams, largeBodies, slowReaders, slowRequests, unreadPages, unreadStreams } from "./attacks.ts";
import { withstand } from "./withstand.ts";

const attacks = [idleStreams, slowRequests, unreadStreams, largeBodies, unreadPages, slowReaders];

describe.each(attackedMounts.map((mount, at) => [mount, at] as const))("%s withstands", (mount, at) => {
  // In the short form, each attack has one of the mounts.
  const some = form === "long" ? attacks : attacks.filter((_, index) => index % attackedMounts.length === at);
  it.each(some.map((attack) => [attack.title, attack] as const))(
    "%s",
    (_title, attack) => withstand(mount, attack),
    120_000,
  );
});
