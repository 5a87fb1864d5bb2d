import Button from '@mui/material/Button';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { copyText } from '../lib/copyText.ts';
import { Icon } from './Icon.tsx';

const SHOWN_MS = 3_000;

/** Copies a text and says for 3 s whether it did. */
export function CopyButton({ label, text }: { label: string; text: string }) {
  const { t } = useTranslation();
  const [done, setDone] = useState<boolean | null>(null);
  useEffect(() => {
    if (done === null) return;
    const timer = setTimeout(() => setDone(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [done]);
  return (
    <Button
      variant="outlined"
      size="small"
      startIcon={<Icon name={done ? 'check' : 'note'} size={16} />}
      onClick={() => void copyText(text).then(setDone)}
    >
      <span role="status">{done === null ? label : done ? t('error.copied') : t('error.copyFailed')}</span>
    </Button>
  );
}
