import Box from '@mui/material/Box';
import FormHelperText from '@mui/material/FormHelperText';
import OutlinedInput, { type OutlinedInputProps } from '@mui/material/OutlinedInput';
import { type FocusEvent, type ReactNode, useId } from 'react';

interface Props extends Omit<OutlinedInputProps, 'error' | 'label'> {
  label: ReactNode;
  error?: string;
  hint?: ReactNode;
  after?: ReactNode;
}

/** A labelled text field: label above, then the input, then the reason it is wrong or a hint. */
export function Field({ label, error, hint, after, inputProps, id, onBlur, ...input }: Props) {
  const made = useId();
  const fieldId = id ?? made;
  const noteId = `${fieldId}-note`;
  const note = error ?? hint;
  return (
    <Box sx={{ minWidth: 0 }}>
      <Box
        component="label"
        htmlFor={fieldId}
        sx={{ display: 'block', fontSize: 14, fontWeight: 600, lineHeight: 1.5, mb: 0.75 }}
      >
        {label}
      </Box>
      <OutlinedInput
        {...input}
        // A focused input that gets disabled makes MUI call this without an event, which forms do not expect.
        onBlur={(event?: FocusEvent<HTMLInputElement | HTMLTextAreaElement>) => event && onBlur?.(event)}
        id={fieldId}
        fullWidth
        error={error !== undefined}
        inputProps={{ ...inputProps, 'aria-describedby': note ? noteId : undefined }}
      />
      {note && (
        <FormHelperText
          id={noteId}
          error={error !== undefined}
          sx={{ mx: 0, fontSize: 13, color: 'text.tertiary', '&.Mui-error': { color: 'error.ink' } }}
        >
          {note}
        </FormHelperText>
      )}
      {after}
    </Box>
  );
}
