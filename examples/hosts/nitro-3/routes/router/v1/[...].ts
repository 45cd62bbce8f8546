import { nodeHandler } from "@tollgate/node";
import { fromNodeHandler } from "nitro/h3";
import { gateway } from "../../../gateway";

const router = nodeHandler(gateway, { prefix: "/router/v1" });

export default fromNodeHandler((req, res) => router(req, res));
