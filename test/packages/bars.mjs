/** The most bytes of a packed tarball. */
export const tarballBytes = 400_000;

/**
 * The most bytes of `createGateway`, bundled for a fetch runtime, minified and compressed with gzip, by the entry of core
 * that it comes from. The goal is 60,000 for chat completions; these bounds are what they have now, so that they do not
 * grow.
 */
export const gatewayGzipBytes = {
  "@tollgate/core/chat": 68_200,
  "@tollgate/core": 95_900,
};
