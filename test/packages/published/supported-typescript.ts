/** The last release of each minor version of TypeScript that the packages support, in order. */
export const supportedTypeScript = ["5.4.5", "5.5.4", "5.6.3", "5.7.3", "5.8.3", "5.9.3", "6.0.3", "7.0.2"] as const;
