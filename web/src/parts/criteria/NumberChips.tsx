import Box from '@mui/material/Box';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useState } from 'react';
import { OptionChip } from '../../shared/legacy/OptionChip.tsx';
import { typedNumber } from './searchForm.ts';

interface Props {
  label: string;
  otherLabel: string;
  value: number;
  choices: number[];
  min: number;
  max: number;
  onChange: (value: number) => void;
}

/** A few usual numbers and a field for any other. */
export function NumberChips({ label, otherLabel, value, choices, min, max, onChange }: Props) {
  const [typed, setTyped] = useState(choices.includes(value) ? '' : String(value));
  const wrong = value < min || value > max;
  return (
    <Box role="group" aria-label={label} sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
      {choices.map((choice) => (
        <OptionChip
          key={choice}
          pressed={value === choice}
          onClick={() => {
            setTyped('');
            onChange(choice);
          }}
        >
          {choice}
        </OptionChip>
      ))}
      <OutlinedInput
        value={typed}
        error={wrong}
        placeholder={`${min}–${max}`}
        inputProps={{ inputMode: 'numeric', 'aria-label': otherLabel, 'aria-invalid': wrong }}
        onChange={(event) => {
          setTyped(event.target.value);
          onChange(typedNumber(event.target.value));
        }}
        sx={{
          width: { xs: 60, sm: 110 },
          flex: { xs: '1 1 60px', sm: 'none' },
          minHeight: 40,
          '& input': { height: 38, fontSize: 14, p: '0 12px' },
        }}
      />
    </Box>
  );
}
