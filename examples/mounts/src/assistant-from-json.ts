import { readFileSync } from "node:fs";
import { parseAssistant } from "@tollgate/assistants";

const config = JSON.parse(readFileSync(new URL("../order-desk.json", import.meta.url), "utf8"));

/** The secrets come from the environment, not from the file. */
export const orderDesk = parseAssistant({ ...config, secrets: { shop_key: process.env["SHOP_KEY"] ?? "" } });
