import { writeFileSync } from "node:fs";
import { clientTypes, clientTypesText } from "./client-types-text.mjs";

for (const [file, document] of Object.entries(clientTypes)) writeFileSync(file, await clientTypesText(document));
