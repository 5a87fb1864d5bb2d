import Box from '@mui/material/Box';
import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import type { Span } from '../../shared/format/uptime.ts';
import { stateBars } from './words.ts';

interface Props {
  label: string;
  /** What is said of the whole while no bar is chosen. */
  sum: string;
  first: string;
  last: string;
  spans: (Span & { key: string; says: string })[];
}

const STEPS: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowDown: -1, ArrowUp: 1, PageDown: -7, PageUp: 7 };

/**
 * Times as bars, oldest first. One control for all of them: arrows, a finger or a pointer choose a bar, and the line below says
 * what it was; a screen reader hears the same.
 */
export function UptimeBars({ label, sum, first, last, spans }: Props) {
  const [chosen, setChosen] = useState<number | null>(null);
  const newest = spans.length - 1;
  const at = chosen === null ? null : Math.min(chosen, newest);
  const choose = (index: number) => setChosen(Math.min(newest, Math.max(0, index)));
  const byPointer = (event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    choose(Math.floor(((event.clientX - box.left) / box.width) * spans.length));
  };
  const byKey = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step === undefined && event.key !== 'Home' && event.key !== 'End') return;
    event.preventDefault();
    choose(event.key === 'Home' ? 0 : event.key === 'End' || at === null ? newest : at + (step ?? 0));
  };
  return (
    <Box>
      <Box
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={1}
        aria-valuemax={spans.length}
        aria-valuenow={(at ?? newest) + 1}
        aria-valuetext={at === null ? sum : spans[at]?.says}
        onKeyDown={byKey}
        onPointerMove={byPointer}
        onPointerDown={byPointer}
        onPointerLeave={() => setChosen(null)}
        onBlur={() => setChosen(null)}
        sx={{ display: 'flex', height: 36, mx: '-1px', cursor: 'default', touchAction: 'pan-y' }}
      >
        {spans.map((span, index) => (
          <Box key={span.key} sx={{ flex: 1, minWidth: 0, px: '1px', display: 'flex', alignItems: 'flex-end' }}>
            <Box
              data-state={span.state}
              sx={{
                width: 1,
                height: stateBars[span.state].height,
                borderRadius: '3px',
                bgcolor: stateBars[span.state].ground,
                opacity: at === null || at === index ? 1 : 0.45,
              }}
            />
          </Box>
        ))}
      </Box>
      <Box
        aria-hidden
        sx={{
          display: 'flex',
          justifyContent: 'space-between',
          gap: 1.5,
          mt: 0.75,
          typography: 'overline',
          color: 'text.tertiary',
        }}
      >
        <Box component="span" sx={{ flex: 'none' }}>
          {at === null && first}
        </Box>
        <Box
          component="span"
          sx={{ textAlign: 'center', fontWeight: at === null ? undefined : 600, color: at === null ? undefined : 'text.primary' }}
        >
          {at === null ? sum : spans[at]?.says}
        </Box>
        <Box component="span" sx={{ flex: 'none' }}>
          {at === null && last}
        </Box>
      </Box>
    </Box>
  );
}
