import { useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import type { Task } from '../../shared/api/types.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';

/**
 * Returns a function that announces the newest booking of a task. Its code loads at the first call.
 */
export function useAnnounceBooking(): (task: Task) => void {
  const { t } = useTranslation();
  const language = useLanguage();
  const navigate = useNavigate();
  return (task) => {
    // Without a network the code cannot load, and the booking is not announced.
    import('./announceBooking.ts')
      .then(({ announceBooking }) => announceBooking(task, { t, language, navigate }))
      .catch(() => undefined);
  };
}

/** Announces a booking that was made while no page was open. Call it where the task is shown. */
export function useBookingNews(task: Task): void {
  const announce = useAnnounceBooking();
  const onNews = useEffectEvent(() => announce(task));
  const bookings = task.success_history.length;
  useEffect(() => {
    if (bookings > 0) onNews();
  }, [bookings]);
}
