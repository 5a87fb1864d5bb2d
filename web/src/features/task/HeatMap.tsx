import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type HeatFacts, heatMonths, openingCity, openingMonth, pageStart, weekendsSeen } from '../../parts/heatMap/heatMap.ts';
import type { SeenCalendar, Task } from '../../shared/api/types.ts';
import type { CivilDate } from '../../shared/format/dates.ts';
import { fromWire } from '../../shared/format/excludedDates.ts';
import { useCityName } from '../../shared/format/useCityName.ts';
import { unbroken, weekday, yearMonth } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { Icon } from '../../shared/ui/Icon.tsx';
import { IconButton } from '../../shared/ui/IconButton.tsx';
import { Segmented } from '../../shared/ui/Segmented.tsx';
import { TooltipAt } from '../../shared/ui/Tooltip.tsx';
import { useMediaQuery } from '../../shared/ui/useMediaQuery.ts';
import { HeatLegend } from './HeatCells.tsx';
import { HeatCity, type Pointed } from './HeatCity.tsx';
import styles from './HeatMap.module.css';
import { useCellTexts } from './useCellTexts.ts';

/**
 * Returns the number of months that fit side by side. Between 760 and 900 px there is no right
 * column, so the map is wider.
 */
function useMonthsShown(weekends: boolean): number {
  const phone = useMediaQuery('(max-width:599.95px)');
  const wide = useMediaQuery('(min-width:1200px), (min-width:760px) and (max-width:899.95px)');
  if (phone) return 1;
  return wide && !weekends ? 5 : 3;
}

/**
 * Renders the heat map of seen dates, one city at a time. Several months are side by side. A phone
 * shows one month, with buttons for the others.
 */
export function HeatMap({ task, calendar }: { task: Task; calendar: SeenCalendar }) {
  const language = useLanguage();
  const cityName = useCityName();
  const { t } = useTranslation();
  const texts = useCellTexts(task);
  const params = task.schedule_config.search_params;
  const window = calendar.window ?? { start: params.start_date, end: params.end_date };
  const facts: HeatFacts = {
    window,
    excluded: fromWire(params.excluded_dates ?? []),
    weekdays: params.weekdays ?? [],
    booked: calendar.booked,
    weekends: weekendsSeen(calendar.cities),
  };
  const size = useMonthsShown(facts.weekends);
  const single = size === 1;
  const months = heatMonths(calendar, window);
  const [wanted, setWanted] = useState<CivilDate | null>(null);
  const [facility, setFacility] = useState<string | null>(null);
  const [pointed, setPointed] = useState<Pointed | null>(null);
  const [pressed, setPressed] = useState<Pointed | null>(null);
  const cities = calendar.cities;
  const chosen = cities.find((city) => city.facility === facility) ?? openingCity(cities, window);
  const opening = single ? openingMonth(chosen, window) : window.start;
  const start = pageStart(months, wanted ?? opening, size);
  const shown = months.slice(start, start + size);
  const detail = single ? pressed : pointed;
  const showPage = (to: number) => {
    setWanted(months[to] ?? null);
    setPointed(null);
    setPressed(null);
  };
  const previous = start > 0 ? () => showPage(Math.max(0, start - size)) : undefined;
  const next = start + size < months.length ? () => showPage(Math.min(months.length - 1, start + size)) : undefined;
  return (
    <div>
      <HeatLegend booked={facts.booked !== null} />
      {cities.length > 1 && (
        <div className={styles.cities}>
          <Segmented
            label={t('heat.city')}
            value={chosen?.facility ?? ''}
            options={cities.map((city) => ({ value: city.facility, label: cityName(city.facility) }))}
            onChange={(value) => {
              setFacility(value);
              setPointed(null);
              setPressed(null);
            }}
          />
        </div>
      )}
      {(single || months.length > size) && (
        <Pager
          title={
            single
              ? yearMonth(shown[0] ?? '', language)
              : t('unit.range', { start: yearMonth(shown[0] ?? '', language), end: yearMonth(shown.at(-1) ?? '', language) })
          }
          onPrevious={previous}
          onNext={next}
        />
      )}
      {chosen && (
        <HeatCity
          key={chosen.facility}
          city={chosen}
          months={shown}
          facts={facts}
          single={single}
          selected={pressed?.facility === chosen.facility ? pressed.cell.date : null}
          nameOf={texts.nameOf}
          onPoint={setPointed}
          onPress={(cell) => {
            const same = pressed?.facility === cell.facility && pressed.cell.date === cell.cell.date;
            setPressed(same ? null : cell);
          }}
        />
      )}
      {detail && !single && (
        <TooltipAt anchor={detail.element} onClose={() => setPointed(null)}>
          <CellNote texts={texts} pointed={detail} name={cityName(detail.facility)} />
        </TooltipAt>
      )}
      {single && (
        <div role="status" className={detail ? styles.told : undefined}>
          {detail && <CellNote texts={texts} pointed={detail} name={cityName(detail.facility)} />}
        </div>
      )}
    </div>
  );
}

function CellNote({ texts, pointed, name }: { texts: ReturnType<typeof useCellTexts>; pointed: Pointed; name: string }) {
  const language = useLanguage();
  const { cell, facility } = pointed;
  return (
    <div className={styles.note}>
      <b>{`${name} ${unbroken(cell.date)} ${weekday(cell.date, language)}`}</b>
      <span>{texts.seenOf(cell)}</span>
      <span>{texts.resultOf(facility, cell)}</span>
    </div>
  );
}

interface PagerProps {
  title: string;
  onPrevious?: () => void;
  onNext?: () => void;
}

function Pager({ title, onPrevious, onNext }: PagerProps) {
  const { t } = useTranslation();
  return (
    <div className={styles.pager}>
      <IconButton label={t('heat.earlierMonths')} disabled={!onPrevious} onClick={onPrevious}>
        <Icon of={ChevronLeft} />
      </IconButton>
      <b aria-live="polite" className={styles.title}>
        {title}
      </b>
      <IconButton label={t('heat.laterMonths')} disabled={!onNext} onClick={onNext}>
        <Icon of={ChevronRight} />
      </IconButton>
    </div>
  );
}
