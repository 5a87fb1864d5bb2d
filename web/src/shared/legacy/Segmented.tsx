import { styled } from '@mui/material/styles';
import type { ReactNode } from 'react';

const Track = styled('fieldset')(({ theme }) => ({
  display: 'inline-flex',
  flex: 'none',
  padding: 3,
  gap: 2,
  minWidth: 0,
  borderRadius: 999,
  backgroundColor: theme.vars.palette.background.sunken,
}));

const Choice = styled('button')(({ theme }) => ({
  display: 'inline-flex',
  alignItems: 'center',
  justifyContent: 'center',
  height: 30,
  padding: '0 12px',
  border: 0,
  cursor: 'pointer',
  backgroundColor: 'transparent',
  borderRadius: 999,
  fontFamily: 'inherit',
  fontSize: 13,
  fontWeight: 500,
  whiteSpace: 'nowrap',
  color: theme.vars.palette.text.secondary,
  '&[aria-pressed="true"]': {
    fontWeight: 600,
    color: theme.vars.palette.text.primary,
    backgroundColor: theme.vars.palette.background.paper,
    boxShadow: theme.shadows[1],
  },
  '[data-theme="dark"] &[aria-pressed="true"]': { backgroundColor: theme.vars.palette.divider },
  '&:focus-visible': { borderRadius: 999, outline: `2px solid ${theme.vars.palette.primary.main}`, outlineOffset: 1 },
}));

interface Props<T extends string> {
  label: string;
  value: T;
  options: { value: T; label: ReactNode; lang?: string }[];
  onChange: (value: T) => void;
}

/** A small either-or: language, city, kind of entry. */
export function Segmented<T extends string>({ label, value, options, onChange }: Props<T>) {
  return (
    <Track aria-label={label}>
      {options.map((option) => (
        <Choice
          key={option.value}
          type="button"
          lang={option.lang}
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
        >
          {option.label}
        </Choice>
      ))}
    </Track>
  );
}
