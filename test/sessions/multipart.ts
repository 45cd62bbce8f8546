/** The boundary of hand-written forms. */
export const boundary = "----tollgate";

/** The Content-Type of hand-written forms. */
export const formType = `multipart/form-data; boundary=${boundary}`;

/** Returns the text of one part of a form. */
export function part(name: string, value: string, headers = ""): string {
  return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n${headers}\r\n${value}\r\n`;
}

/** Returns the text of a complete form. */
export const formText = (...parts: readonly string[]): string => `${parts.join("")}--${boundary}--\r\n`;
