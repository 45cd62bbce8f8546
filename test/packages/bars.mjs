/** The most bytes of a packed tarball. */
export const tarballBytes = 400_000;

/**
 * The most bytes of `createGateway`, bundled for a fetch runtime, minified and compressed with gzip, by the entry of core
 * that it comes from. The bound of chat completions is a goal of the project; the other one keeps the gateway from growing.
 */
export const gatewayGzipBytes = {
  "@tollgate/core/chat": 60_000,
  "@tollgate/core": 94_700,
};
