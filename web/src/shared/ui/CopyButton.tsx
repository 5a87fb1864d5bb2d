import { Check, Copy } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useCopied } from '../hooks/useCopied.ts';
import { Button } from './Button.tsx';
import { Icon } from './Icon.tsx';

/** Renders a button that copies a text and shows for 3 s whether that worked. */
export function CopyButton({ label, text }: { label: string; text: string }) {
  const { t } = useTranslation();
  const { done, copy } = useCopied(text);
  return (
    <Button variant="secondary" size="small" start={<Icon of={done ? Check : Copy} size={16} />} onClick={() => void copy()}>
      <span role="status">{done === null ? label : done ? t('error.copied') : t('error.copyFailed')}</span>
    </Button>
  );
}
