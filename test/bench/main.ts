import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { judge } from "./bars.ts";
import { installPortkey } from "./portkey.ts";
import { canPin, gatewayCore, loadCore } from "./processes/cores.ts";
import { barTable, contenderTable, routeTable } from "./report.ts";
import { measureAll } from "./results.ts";
import { Rig } from "./rig.ts";
import { readSettings } from "./settings.ts";

const settings = readSettings(process.argv.slice(2));
if (settings.portkey) installPortkey();

const place = canPin
  ? `gateway on core ${gatewayCore}, mock provider and load on core ${loadCore}`
  : "processes not bound to cores (no taskset, or one core)";
console.log(`Node ${process.version}, ${process.platform}, ${availableParallelism()} cores; ${place}.`);
console.log(`Medians of ${settings.rounds} and ${settings.shortRounds} rounds, lowest and highest in brackets.`);

const rig = await Rig.start();
const results = await measureAll(rig, settings, (what) => console.log(`Measuring ${what} ...`));
await rig.stop();
const bars = judge(results);

console.log(`\n${contenderTable(results)}`);
console.log("After its client has left, the router reads a JSON answer on, to charge by its usage.");
if (settings.frameworkRounds > 0) console.log(`\n${routeTable(results)}`);
console.log(`\n${barTable(bars)}`);
console.log(`\n${bars.filter((bar) => bar.holds).length} of ${bars.length} bars hold.`);
if (settings.json !== undefined) writeFileSync(settings.json, JSON.stringify(asJson(), undefined, 2));

function asJson() {
  const rounds = Object.entries(results).map(([name, values]) => [name, Object.fromEntries(values)]);
  return { node: process.version, platform: process.platform, place, rounds: Object.fromEntries(rounds), bars };
}
