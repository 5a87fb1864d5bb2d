import { styled } from '@mui/material/styles';
import type { ReactNode } from 'react';

const Svg = styled('svg')({
  display: 'block',
  flex: 'none',
  fill: 'none',
  stroke: 'currentColor',
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
});

/** One line picture on a 24 grid, drawn by its children: 20 px beside text, 16 inside chips; decorative, so hidden from screen readers. */
export function Glyph({ children, size = 20 }: { children: ReactNode; size?: number }) {
  return (
    <Svg viewBox="0 0 24 24" width={size} height={size} strokeWidth={size <= 16 ? 2 : size >= 24 ? 1.6 : 1.75} aria-hidden>
      {children}
    </Svg>
  );
}
