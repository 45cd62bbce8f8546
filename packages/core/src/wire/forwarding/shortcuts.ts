/**
 * Whether requests and completions are forwarded without parsing them as a whole. Where this is off, the plain reference
 * does the same work: tests and the bench compare the two.
 */
export const shortcuts = { areOn: true };
