import { useTranslation } from 'react-i18next';
import type { PortalHour } from '../../shared/api/types.ts';
import { seconds } from '../../shared/format/uptime.ts';
import styles from './PortalCard.module.css';

const WIDTH = 120;
const HEIGHT = 28;
const EDGE = 3;

/** How long answers took over the last 24 hours; the line breaks where nobody asked. */
export function LatencyLine({ hours }: { hours: PortalHour[] }) {
  const { t } = useTranslation();
  const known = hours.flatMap(({ latency_ms }) => (latency_ms === null || latency_ms === undefined ? [] : [latency_ms]));
  if (known.length < 2) return null;
  const [least, most] = [Math.min(...known), Math.max(...known)];
  const x = (index: number) => (index / Math.max(1, hours.length - 1)) * WIDTH;
  const y = (latency: number) => HEIGHT - EDGE - (latency / most) * (HEIGHT - 2 * EDGE);
  const path = hours
    .map(({ latency_ms }, index) => {
      if (latency_ms === null || latency_ms === undefined) return '';
      const before = hours[index - 1]?.latency_ms;
      const command = before === null || before === undefined ? 'M' : 'L';
      // A point of its own is a line of no length, which round ends make a dot.
      const point = `${x(index).toFixed(1)} ${y(latency_ms).toFixed(1)}`;
      return command === 'M' ? `M${point}L${point}` : `L${point}`;
    })
    .join('');
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className={styles.line}
      role="img"
      aria-label={t('status.latencySays', { least: seconds(least), most: seconds(most) })}
    >
      <path d={path} />
    </svg>
  );
}
