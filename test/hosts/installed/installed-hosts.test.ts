import { checkHost } from "../check-host.ts";
import { installedHosts } from "./installed-hosts.ts";

for (const host of installedHosts) checkHost(host);
