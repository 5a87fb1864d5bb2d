import { keyframes, styled } from '@mui/material/styles';

const pulse = keyframes`0%{transform:scale(.6);opacity:.5}70%,100%{transform:scale(1.35);opacity:0}`;

/** The one thing that moves by itself: a dot that breathes while something is running. */
export const LiveDot = styled('span')({
  position: 'relative',
  display: 'inline-block',
  flex: 'none',
  width: 8,
  height: 8,
  margin: '0 3px 0 4px',
  borderRadius: '50%',
  backgroundColor: 'currentColor',
  '&::after': {
    content: '""',
    position: 'absolute',
    inset: -4,
    borderRadius: '50%',
    border: '2px solid currentColor',
    opacity: 0.32,
    animation: `${pulse} 2.4s cubic-bezier(.2,.7,.2,1) infinite`,
  },
  '@media (prefers-reduced-motion: reduce)': { '&::after': { animation: 'none' } },
});
