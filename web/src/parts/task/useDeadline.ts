import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { queries } from '../../shared/api/queries.ts';
import type { Task } from '../../shared/api/types.ts';
import { findCity } from '../../shared/format/cityName.ts';
import { instantInFull, instantThere } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';

/** Formats an instant in a zone. Returns null if an older browser does not know the zone. */
function there(...asked: Parameters<typeof instantThere>): string | null {
  try {
    return instantThere(...asked);
  } catch {
    return null;
  }
}

/**
 * Returns the portal's deadline for reschedules in the viewer's zone. If the consulate's zone
 * differs, its time is added.
 */
export function useDeadline(task: Task): string | null {
  const { t } = useTranslation();
  const language = useLanguage();
  const { data } = useQuery(queries.facilities());
  const deadline = task.change_deadline;
  if (!deadline) return null;
  const here = instantInFull(deadline, language);
  const city = task.appointments[0]?.facility;
  const zone = findCity(data, city)?.zone;
  const local = zone ? there(deadline, zone, language) : null;
  return local ? t('task.whenThere', { when: here, there: local }) : here;
}
