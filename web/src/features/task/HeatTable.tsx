import { useTranslation } from 'react-i18next';
import type { SeenCity, Task } from '../../shared/api/types.ts';
import { useCityName } from '../../shared/format/useCityName.ts';
import { instantInFull, weekday } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { TableBox } from './cardParts.tsx';
import { useReasons } from './useReasons.ts';
import { whyNotDay } from './whyNot.ts';

/** Renders all seen dates as a table: date, city, number of sightings, last sighting and result. */
export function HeatTable({ task, cities }: { task: Task; cities: SeenCity[] }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const cityName = useCityName();
  const { facts, reasonText } = useReasons(task);
  const rows = cities
    .flatMap((city) => city.days.map((day) => ({ facility: city.facility, day })))
    .sort((a, b) => a.day.date.localeCompare(b.day.date) || a.facility.localeCompare(b.facility));
  return (
    <TableBox label={t('heat.title')}>
      <thead>
        <tr>
          <th scope="col">{t('heat.date')}</th>
          <th scope="col">{t('heat.city')}</th>
          <th scope="col">{t('heat.timesHead')}</th>
          <th scope="col">{t('heat.lastSeen')}</th>
          <th scope="col">{t('heat.result')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ facility, day }) => {
          const reason = whyNotDay(facility, day, facts);
          return (
            <tr key={`${facility}-${day.date}`}>
              <th scope="row">{`${day.date} ${weekday(day.date, language)}`}</th>
              <td>{cityName(facility)}</td>
              <td>{day.times}</td>
              <td>{instantInFull(day.last_seen_at, language)}</td>
              <td>{reason ? reasonText(reason) : t('heat.fits')}</td>
            </tr>
          );
        })}
      </tbody>
    </TableBox>
  );
}
