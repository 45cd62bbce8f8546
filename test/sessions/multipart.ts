/** The boundary of the forms that tests write by hand. */
export const boundary = "----tollgate";

/** The Content-Type that goes with them. */
export const formType = `multipart/form-data; boundary=${boundary}`;

/** One part of a form in text. */
export function part(name: string, value: string, headers = ""): string {
  return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n${headers}\r\n${value}\r\n`;
}

/** A whole form of parts. */
export const formText = (...parts: readonly string[]): string => `${parts.join("")}--${boundary}--\r\n`;
