const USUAL = /^\s*9\s*am\s*[-–]\s*11\s*pm\s*E[DS]?T\s*$/i;
const BEIJING_OFFSET_HOURS = 8;

/** Returns Toronto's offset from UTC at a moment, in hours: -4 in summer, -5 in winter. */
function torontoOffsetHours(nowMs: number): number {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone: 'America/Toronto', timeZoneName: 'shortOffset' }).formatToParts(
    nowMs,
  );
  return Number(parts.find((part) => part.type === 'timeZoneName')?.value.replace('GMT', '') ?? '-5');
}

/**
 * Returns the usual support hours (9am to 11pm in Toronto) in Beijing time of the season, or null
 * if the operator has set others. The setting has "EDT" all year, which readers understand as
 * Toronto's clock.
 */
export function usualHours(hours: string, nowMs: number): { from: string; to: string } | null {
  if (!USUAL.test(hours)) return null;
  const ahead = BEIJING_OFFSET_HOURS - torontoOffsetHours(nowMs);
  return { from: `${(9 + ahead) % 24}:00`, to: `${(23 + ahead) % 24}:00` };
}
