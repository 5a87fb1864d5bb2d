import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { copyText } from '../../lib/copyText.ts';
import { Icon } from '../../ui/Icon.tsx';

const SHOWN_MS = 3_000;

/** Copies a contact's name and says for 3 s whether it did. */
export function CopyText({ text }: { text: string }) {
  const { t } = useTranslation();
  const [done, setDone] = useState<boolean | null>(null);
  useEffect(() => {
    if (done === null) return;
    const timer = setTimeout(() => setDone(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [done]);
  return (
    <button type="button" onClick={() => void copyText(text).then(setDone)}>
      <Icon name={done ? 'check' : 'copy'} size={16} />
      <span role="status">{done === null ? t('support.copy') : done ? t('support.copied') : t('error.copyFailed')}</span>
    </button>
  );
}
