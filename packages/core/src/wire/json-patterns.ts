// Each repetition ends at a character that it cannot match, so that the expressions never backtrack.
const plain = String.raw`[^"\\\x00-\x1f]`;

/** A string of JSON (RFC 8259, section 7), as a regular expression. */
export const anyString = String.raw`"${plain}*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})${plain}*)*"`;

/** A number of JSON (RFC 8259, section 6), as a regular expression. */
export const anyNumber = String.raw`-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?`;
