/** Length of a complete code. */
export const CODE_LENGTH = 16;

/** Returns the hexadecimal characters of a text in lower case, at most 16. */
export function cleanCode(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^0-9a-f]/g, '')
    .slice(0, CODE_LENGTH);
}

/** Formats a code in groups of four, which are easier to read. */
export function groupCode(code: string): string {
  return code.replace(/(.{4})(?=.)/g, '$1 ');
}
