import { buildContender } from "./contenders/contenders.ts";
import { startProbe } from "./processes/gateway-probe.ts";
import { listen } from "./processes/listen.ts";
import { announce } from "./processes/parent.ts";

const [name = "", upstreamPort = "", address = ""] = process.argv.slice(2);
const { server, apiKey, apiKeys } = await buildContender(name, Number(upstreamPort), address);
announce({ apiKey, apiKeys, port: await listen(server), probePort: await startProbe() });
