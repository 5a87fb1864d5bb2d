import { Check, Copy } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useCopied } from '../../../shared/hooks/useCopied.ts';
import { Icon } from '../../../shared/ui/Icon.tsx';

/**
 * Renders the name of a contact as a button that copies it, and shows for 3 s whether that worked.
 */
export function CopyText({ text }: { text: string }) {
  const { t } = useTranslation();
  const { done, copy } = useCopied(text);
  return (
    <button type="button" onClick={() => void copy()}>
      <Icon of={done ? Check : Copy} size={16} />
      <span role="status">{done === null ? t('support.copy') : done ? t('support.copied') : t('error.copyFailed')}</span>
    </button>
  );
}
