export { type NodeHandler, type NodeHandlerOptions, nodeHandler } from "./node-handler.ts";
