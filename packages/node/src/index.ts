export { type NodeHandler, type NodeHandlerOptions, nodeHandler } from "./node-handler.ts";
export { type PooledTransport, type PooledTransportOptions, pooledTransport } from "./pooled-transport.ts";
