/**
 * Formats one field, with quotes if necessary. Prevents spreadsheets from reading a text as a
 * formula, but leaves negative numbers unchanged.
 */
function field(text: string): string {
  const risky = /^[=+\-@\t\r]/.test(text) && !/^-\d+(\.\d+)?$/.test(text);
  const safe = risky ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/**
 * Formats rows as a CSV file for spreadsheets: UTF-8 with a byte order mark, CRLF, doubled quotes.
 */
export function csv(rows: string[][]): string {
  return `\uFEFF${rows.map((row) => row.map(field).join(',')).join('\r\n')}\r\n`;
}
