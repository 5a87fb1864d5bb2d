/** One field: quoted where needed, and never a formula for the spreadsheet that opens it; a negative number is none. */
function field(text: string): string {
  const risky = /^[=+\-@\t\r]/.test(text) && !/^-\d+(\.\d+)?$/.test(text);
  const safe = risky ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Rows as a CSV file that spreadsheets open rightly: UTF-8 with its mark, CRLF, quotes doubled. */
export function csv(rows: string[][]): string {
  return `\uFEFF${rows.map((row) => row.map(field).join(',')).join('\r\n')}\r\n`;
}
