import { startContender } from "./contenders/contenders.ts";
import { startProbe } from "./processes/gateway-probe.ts";
import { listen } from "./processes/listen.ts";
import { announce } from "./processes/parent.ts";

const [name = "", upstreamPort = ""] = process.argv.slice(2);
const server = await startContender(name, Number(upstreamPort));
announce({ port: await listen(server), probePort: await startProbe() });
