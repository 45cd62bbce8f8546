/**
 * Whether requests and completions are forwarded without parsing them as a whole. If it is off, the reference
 * implementation does the same work. Tests and benchmarks compare the two.
 */
export const shortcuts = { areOn: true };
