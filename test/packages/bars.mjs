/** The most bytes of a packed tarball. */
export const tarballBytes = 400_000;
