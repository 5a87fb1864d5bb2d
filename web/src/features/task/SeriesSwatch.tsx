import { dashOf, inkOf } from './seriesStyles.ts';

/** Renders a sample of a city's line, for the legend. */
export function SeriesSwatch({ index }: { index: number }) {
  return (
    <svg width="24" height="4" aria-hidden="true" focusable="false">
      <path d="M0 2h24" stroke={inkOf(index)} strokeWidth="2.5" strokeDasharray={dashOf(index)} />
    </svg>
  );
}
