/** The most bytes of a packed tarball. */
export const tarballBytes = 400_000;

/**
 * The most bytes of `createGateway` of core, bundled for a fetch runtime, minified and compressed with gzip. The goal is
 * 60,000; this bound is what it has now, so that it does not grow.
 */
export const coreGzipBytes = 106_000;
