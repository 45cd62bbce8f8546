import { describe } from "vitest";
import { slowMs, threeClusters } from "./clusters.ts";
import { shardContracts } from "./contracts.ts";
import { movedAccounts } from "./moved-accounts.ts";
import { outages } from "./outages.ts";
import { placement } from "./placement.ts";
import { setup } from "./setup.ts";

// One file, since starting three servers takes seconds.
const clusters = threeClusters();

describe("the stores of two processes over three clusters", () => shardContracts(clusters));
describe("accounts over three clusters", () => placement(clusters));
describe("an account that is moving or has moved", () => movedAccounts(clusters));
describe("the shards of a system", { timeout: slowMs }, () => setup(clusters));
describe("a shard that is down", { timeout: slowMs }, () => outages(clusters));
