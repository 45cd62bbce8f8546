export { type PooledTransport, type PooledTransportOptions, pooledTransport } from "./pooled-transport.ts";
