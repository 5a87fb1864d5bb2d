import ButtonBase from '@mui/material/ButtonBase';
import { styled } from '@mui/material/styles';
import type { ReactNode } from 'react';
import { Icon } from './Icon.tsx';

const Chip = styled(ButtonBase)(({ theme }) => ({
  gap: 8,
  height: 40,
  padding: '0 15px',
  borderRadius: 12,
  border: `1px solid ${theme.vars.palette.control}`,
  backgroundColor: theme.vars.palette.background.paper,
  fontFamily: 'inherit',
  fontSize: 15,
  fontWeight: 500,
  whiteSpace: 'nowrap',
  fontVariantNumeric: 'tabular-nums',
  '&[aria-pressed="true"]': {
    borderColor: theme.vars.palette.primary.main,
    backgroundColor: theme.vars.palette.primary.soft,
    color: theme.vars.palette.primary.ink,
    fontWeight: 600,
  },
  '&.Mui-focusVisible': { outline: `2px solid ${theme.vars.palette.primary.main}`, outlineOffset: 2 },
}));

/** One of a few ready answers; the chosen one carries a tick. */
export function OptionChip({ pressed, onClick, children }: { pressed: boolean; onClick: () => void; children: ReactNode }) {
  return (
    <Chip aria-pressed={pressed} onClick={onClick}>
      {pressed && <Icon name="check" size={16} />}
      {children}
    </Chip>
  );
}
