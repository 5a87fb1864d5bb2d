import type { CSSProperties } from 'react';
import { useTranslation } from 'react-i18next';
import { useCityName } from '../../shared/format/useCityName.ts';
import { instantInFull } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { classes } from '../../shared/ui/classes.ts';
import { type ChartData, numberDay } from './chartData.ts';
import styles from './EarliestChart.module.css';
import { SeriesSwatch } from './SeriesSwatch.tsx';

/**
 * Returns a function that formats the dates of all cities at one moment: `2026-11-20 下午 7:00，渥太华
 * 2027-04-22，…`.
 */
export function useMomentTexts(data: ChartData): (at: number) => string {
  const { t } = useTranslation();
  const language = useLanguage();
  const cityName = useCityName();
  return (at) => {
    const shown = data.series.map(({ facility, values }) => `${cityName(facility)} ${dateOf(values[at]) ?? t('chart.none')}`);
    return [whenOf(data, at, language), ...shown].join(t('heat.comma'));
  };
}

const dateOf = (value: number | null | undefined) => (value === null || value === undefined ? null : numberDay(value));
const whenOf = (data: ChartData, at: number, language: 'en' | 'zh') =>
  instantInFull(new Date(data.times[at] ?? data.until).toISOString(), language);

interface Props {
  data: ChartData;
  /** Index of the selected moment. */
  at: number;
  /** Horizontal position of the moment in px, and the side on which the tooltip fits. */
  left: number;
  side: 'before' | 'after';
}

/** Renders the tooltip of the chart, with the dates of all cities at the selected moment. */
export function ChartTip({ data, at, left, side }: Props) {
  const { t } = useTranslation();
  const language = useLanguage();
  const cityName = useCityName();
  return (
    <div aria-hidden="true" className={classes(styles.tip, styles[side])} style={{ '--x': `${left}px` } as CSSProperties}>
      <b>{whenOf(data, at, language)}</b>
      <table>
        <tbody>
          {data.series.map(({ facility, values }, index) => (
            <tr key={facility}>
              <td>
                <SeriesSwatch index={index} />
              </td>
              <th scope="row">{cityName(facility)}</th>
              <td>{dateOf(values[at]) ?? t('chart.none')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
