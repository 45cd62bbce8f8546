import { checkHost } from "./check-host.ts";
import { hosts } from "./hosts.ts";

for (const host of hosts) checkHost(host);
