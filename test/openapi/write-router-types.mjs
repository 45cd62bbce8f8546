import { writeFileSync } from "node:fs";
import { routerTypesText } from "./router-types-text.mjs";

writeFileSync("test/openapi/router-types.ts", await routerTypesText());
