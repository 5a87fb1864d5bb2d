const USUAL = /^\s*9\s*am\s*[-–]\s*11\s*pm\s*E[DS]?T\s*$/i;
const BEIJING_OFFSET_HOURS = 8;

/** Returns the offset of Toronto from UTC in hours: -4 in summer, -5 in winter. */
function torontoOffsetHours(nowMs: number): number {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone: 'America/Toronto', timeZoneName: 'shortOffset' }).formatToParts(
    nowMs,
  );
  return Number(parts.find((part) => part.type === 'timeZoneName')?.value.replace('GMT', '') ?? '-5');
}

/**
 * Returns the default support hours (9am to 11pm in Toronto) in Beijing time, or null if the
 * operator has set other hours. The setting always contains "EDT", but it means Toronto's local
 * time in every season.
 */
export function usualHours(hours: string, nowMs: number): { from: string; to: string } | null {
  if (!USUAL.test(hours)) return null;
  const ahead = BEIJING_OFFSET_HOURS - torontoOffsetHours(nowMs);
  return { from: `${(9 + ahead) % 24}:00`, to: `${(23 + ahead) % 24}:00` };
}
