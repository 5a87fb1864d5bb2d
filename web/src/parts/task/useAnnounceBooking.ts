import { useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import type { Task } from '../../shared/api/types.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';

/** Announces a task's newest booking. The code loads when there is one. */
export function useAnnounceBooking(): (task: Task) => void {
  const { t } = useTranslation();
  const language = useLanguage();
  const navigate = useNavigate();
  return (task) => {
    // Without a network there is no announcement either.
    import('./announceBooking.ts')
      .then(({ announceBooking }) => announceBooking(task, { t, language, navigate }))
      .catch(() => undefined);
  };
}

/** Announces, where its task is shown, a booking that was made while no page was open. */
export function useBookingNews(task: Task): void {
  const announce = useAnnounceBooking();
  const onNews = useEffectEvent(() => announce(task));
  const bookings = task.success_history.length;
  useEffect(() => {
    if (bookings > 0) onNews();
  }, [bookings]);
}
