import i18next from 'i18next';
import { cityNameIn } from '../format/cityName.ts';
import { toLanguage } from '../i18n/language.ts';
import { toast } from '../ui/toasts.ts';
import { queries, queryClient } from './queries.ts';
import type { Schemas } from './types.ts';

/** Time to read it twice: it states that a booking cannot be recalled. */
const SHOWN_MS = 15_000;

/** Notifies the user that a stopped, edited or deleted task has a booking that was already sent. */
export function notifyUnderWay(booking: Schemas['BookingUnderWay'] | null | undefined): void {
  if (!booking) return;
  const known = queryClient.getQueryData(queries.facilities().queryKey);
  const city = cityNameIn(known, booking.facility, toLanguage(i18next.language));
  toast.warning(i18next.t('toast.underWay', { date: booking.date, city }), { timeout: SHOWN_MS });
}
