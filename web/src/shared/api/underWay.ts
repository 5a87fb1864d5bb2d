import i18next from 'i18next';
import { cityNameIn } from '../format/cityName.ts';
import { toLanguage } from '../i18n/language.ts';
import { toast } from '../ui/toasts.ts';
import { queries, queryClient } from './queries.ts';
import type { Schemas } from './types.ts';

/**
 * Display time of the message. It is long, because the message is important: a booking cannot be
 * recalled.
 */
const SHOWN_MS = 15_000;

/**
 * Notifies the user if a task was stopped, edited or deleted after a booking request was sent for
 * it.
 */
export function notifyUnderWay(booking: Schemas['BookingUnderWay'] | null | undefined): void {
  if (!booking) return;
  const known = queryClient.getQueryData(queries.facilities().queryKey);
  const city = cityNameIn(known, booking.facility, toLanguage(i18next.language));
  toast.warning(i18next.t('toast.underWay', { date: booking.date, city }), { timeout: SHOWN_MS });
}
