/** Whether a Content-Type names a media type as RFC 9110, section 8.3.1 writes it, whatever parameters follow. */
export const isMediaType = (type: string): boolean => type === "application/json" || mediaType.test(type);

const mediaType = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/;
