import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { useCopied } from '../hooks/useCopied.ts';
import { Icon } from './Icon.tsx';

/** Copies a text and says for 3 s whether it did. */
export function CopyButton({ label, text }: { label: string; text: string }) {
  const { t } = useTranslation();
  const { done, copy } = useCopied(text);
  return (
    <Button
      variant="outlined"
      size="small"
      startIcon={<Icon name={done ? 'check' : 'note'} size={16} />}
      onClick={() => void copy()}
    >
      <span role="status">{done === null ? label : done ? t('error.copied') : t('error.copyFailed')}</span>
    </Button>
  );
}
