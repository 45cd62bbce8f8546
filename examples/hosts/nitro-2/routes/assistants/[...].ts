import { nodeHandler } from "@tollgate/node";
import { fromNodeMiddleware } from "h3";
import { gateway } from "../../gateway";

const assistants = nodeHandler(gateway.sessions, { prefix: "/assistants" });

export default fromNodeMiddleware((req, res) => assistants(req, res));
