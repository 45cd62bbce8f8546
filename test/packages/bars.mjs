/** The most bytes of a packed tarball. */
export const tarballBytes = 400_000;

/** The most bytes of `createGateway` of core, bundled for a fetch runtime, minified and compressed with gzip. */
export const coreGzipBytes = 60_000;
