/**
 * Whether a Content-Type value starts with a valid media type (RFC 9110, section 8.3.1). Parameters are not checked.
 */
export const isMediaType = (type: string): boolean => type === "application/json" || mediaType.test(type);

const mediaType = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/;
