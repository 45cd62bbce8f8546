import { nodeHandler } from "@tollgate/node";
import { fromNodeHandler } from "nitro/h3";
import { gateway } from "../../gateway";

const assistants = nodeHandler(gateway.sessions, { prefix: "/assistants" });

export default fromNodeHandler((req, res) => assistants(req, res));
