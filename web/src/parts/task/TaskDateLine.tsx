import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import type { Task } from '../../shared/api/types.ts';
import { fromWire } from '../../shared/format/excludedDates.ts';
import { useToday } from '../../shared/hooks/useToday.ts';
import { DateLine } from '../dateLine/DateLine.tsx';
import { claimNews, isNews, newestBooking } from './bookingNews.ts';
import { earlierDates } from './taskView.ts';

/** Share of the date line that must be visible before its animation starts. */
const SEEN_SHARE = 0.6;

const isSeen = (element: Element) => {
  const { top, bottom, height } = element.getBoundingClientRect();
  return document.visibilityState === 'visible' && height > 0 && top >= 0 && bottom <= innerHeight;
};

/**
 * Returns the booking whose animation runs now, or null. The newest booking is animated once per
 * browser, when its date line becomes visible.
 */
function useDrawn(task: Task, place: RefObject<HTMLElement | null>): string | null {
  const [drawn, setDrawn] = useState<string | null>(null);
  const newest = newestBooking(task)?.timestamp ?? null;
  const latest = useRef(task);
  latest.current = task;
  // Runs before the first paint. Otherwise the line would first appear in its final state.
  useLayoutEffect(() => {
    const line = place.current;
    if (newest === null || !line || !isNews(latest.current, 'shown')) return;
    const draw = () => claimNews(latest.current, 'shown') && setDrawn(newest);
    if (isSeen(line)) {
      draw();
      return;
    }
    if (typeof IntersectionObserver === 'undefined') return;
    const watch = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting || document.visibilityState !== 'visible') return;
        watch.disconnect();
        draw();
      },
      { threshold: SEEN_SHARE },
    );
    watch.observe(line);
    return () => watch.disconnect();
  }, [newest, place]);
  return drawn !== null && drawn === newest ? drawn : null;
}

/** Renders the date line of a task. A new booking is animated once. */
export function TaskDateLine({ task }: { task: Task }) {
  const place = useRef<HTMLDivElement>(null);
  const today = useToday(task.country_code, task.appointments[0]?.facility);
  const drawn = useDrawn(task, place);
  const params = task.schedule_config.search_params;
  return (
    <div ref={place} data-drawn={drawn ?? undefined}>
      <DateLine
        today={today}
        window={{ start: params.start_date, end: params.end_date }}
        excluded={fromWire(params.excluded_dates ?? [])}
        seen={task.seen_dates}
        best={task.earliest_seen?.date}
        present={task.appointments[0]?.appointment_date}
        earlierDates={earlierDates(task)}
        drawnFrom={drawn === null ? null : newestBooking(task)?.fromDate}
      />
    </div>
  );
}
