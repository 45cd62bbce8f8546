/** True for a token, which the name of a header must be (RFC 9110, section 5.6.2). */
export const isHeaderName = (name: string): boolean => token.test(name);

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
