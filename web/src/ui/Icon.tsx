import { styled } from '@mui/material/styles';
import { type IconName, iconPaths } from './iconPaths.tsx';

const Svg = styled('svg')({
  display: 'block',
  flex: 'none',
  fill: 'none',
  stroke: 'currentColor',
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
});

/** One line icon of our set on a 24 grid: 20 px beside text, 16 inside chips; decorative, so hidden from screen readers. */
export function Icon({ name, size = 20 }: { name: IconName; size?: number }) {
  return (
    <Svg
      viewBox="0 0 24 24"
      width={size}
      height={size}
      strokeWidth={size <= 16 ? 2 : size >= 24 ? 1.6 : 1.75}
      aria-hidden
      focusable="false"
    >
      {iconPaths[name]}
    </Svg>
  );
}
