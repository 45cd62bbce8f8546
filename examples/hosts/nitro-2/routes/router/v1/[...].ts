import { nodeHandler } from "@tollgate/node";
import { fromNodeMiddleware } from "h3";
import { gateway } from "../../../gateway";

const router = nodeHandler(gateway, { prefix: "/router/v1" });

export default fromNodeMiddleware((req, res) => router(req, res));
