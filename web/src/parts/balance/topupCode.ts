/** Characters of a whole code. */
export const CODE_LENGTH = 16;

/** Keeps hexadecimal characters, lower case, at most 16. */
export function cleanCode(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^0-9a-f]/g, '')
    .slice(0, CODE_LENGTH);
}

/** Groups of four, as people read codes aloud. */
export function groupCode(code: string): string {
  return code.replace(/(.{4})(?=.)/g, '$1 ');
}
