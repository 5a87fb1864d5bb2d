import type { ComponentProps, ReactNode } from 'react';
import { TextField } from '../ui/TextField.tsx';

type Input = ComponentProps<typeof TextField>;

/** What fields of the former set take beside what those of `shared/ui` take. */
export interface FormerProps {
  inputProps?: Omit<ComponentProps<'input'>, 'size' | 'style'>;
  endAdornment?: ReactNode;
  /** Given where a code is typed: large spaced figures. */
  sx?: object;
}

/** A labelled text field; new code takes `shared/ui/TextField`. */
export function Field({ inputProps, endAdornment, sx, ...rest }: FormerProps & Input) {
  return <TextField {...inputProps} {...rest} end={endAdornment} code={sx !== undefined} />;
}
