import type { TFunction } from 'i18next';
import { queries, queryClient } from '../../shared/api/queries.ts';
import type { Task } from '../../shared/api/types.ts';
import { cityNameIn } from '../../shared/format/cityName.ts';
import type { Language } from '../../shared/i18n/language.ts';
import { paths } from '../../shared/routing/paths.ts';
import { toast } from '../../shared/ui/toasts.ts';
import { claimNews, newestBooking } from './bookingNews.ts';
import { fingerprintsLine } from './headline.ts';

/** Display time of the toast. It is paused while the pointer or the focus is on the toast. */
const TOAST_MS = 20_000;

/** Texts and navigation of the page that shows the toast. */
export interface AnnouncementContext {
  t: TFunction;
  language: Language;
  navigate: (path: string) => unknown;
}

/**
 * Shows a toast about the newest booking of a task, once per browser, with a link to the task and a
 * calendar file. A hidden page waits until it is visible.
 */
export async function announceBooking(task: Task, context: AnnouncementContext): Promise<void> {
  const move = newestBooking(task);
  if (!move) return;
  if (document.visibilityState === 'hidden') {
    document.addEventListener('visibilitychange', () => void announceBooking(task, context), { once: true });
    return;
  }
  if (!claimNews(task, 'told')) return;
  const { t, language, navigate } = context;
  // City names in other languages come from the server. A newly opened page may not have them yet.
  const cities = language === 'en' ? undefined : await queryClient.ensureQueryData(queries.facilities()).catch(() => undefined);
  const saveDate = async () => {
    try {
      const { saveAppointment } = await import('./appointmentFile.ts');
      await saveAppointment(task, language);
    } catch {
      toast.error(t('toast.calendarFailed'));
    }
  };
  const view = { label: t('toast.view'), onClick: () => void navigate(paths.task(task.id)) };
  const calendar = { label: t('toast.calendar'), onClick: () => void saveDate() };
  const onTaskPage = location.pathname === paths.task(task.id);
  const booked = { city: cityNameIn(cities, move.toLocation, language), date: move.date };
  const text = move.daysAdvanced ? t('toast.bookedSooner', { ...booked, count: move.daysAdvanced }) : t('toast.booked', booked);
  const second = move.fingerprints && t('unit.fingerprints', { at: fingerprintsLine(move.fingerprints, language) });
  toast.success(second ? `${text}\n${second}` : text, { timeout: TOAST_MS, actions: onTaskPage ? [calendar] : [view, calendar] });
}
