import IconButton from '@mui/material/IconButton';
import type { OutlinedInputProps } from '@mui/material/OutlinedInput';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Field } from './Field.tsx';
import { Icon } from './Icon.tsx';

interface Props extends Omit<OutlinedInputProps, 'error' | 'label' | 'type'> {
  label: string;
  error?: string;
  hint?: ReactNode;
  after?: ReactNode;
}

/** A password with its show/hide button. */
export function PasswordField(props: Props) {
  const { t } = useTranslation();
  const [shown, setShown] = useState(false);
  return (
    <Field
      {...props}
      type={shown ? 'text' : 'password'}
      endAdornment={
        <IconButton
          aria-label={shown ? t('auth.hidePassword') : t('auth.showPassword')}
          aria-pressed={shown}
          disabled={props.disabled}
          onClick={() => setShown(!shown)}
          sx={{ mr: -0.5 }}
        >
          <Icon name={shown ? 'eyeOff' : 'eye'} />
        </IconButton>
      }
    />
  );
}
