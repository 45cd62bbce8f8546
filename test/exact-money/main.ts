import { runCommand } from "@tollgate/exact-money";
import { litellm } from "./others/litellm.ts";
import { newApi } from "./others/new-api.ts";
import { portkey } from "./others/portkey.ts";
import { tollgate } from "./tollgate/driver.ts";

const drivers = [tollgate("memory"), tollgate("sqlite"), tollgate("postgres"), portkey, litellm, newApi];

// A gateway that has not ended its calls of the provider must not keep the command running.
process.exit(await runCommand(process.argv.slice(2), drivers));
