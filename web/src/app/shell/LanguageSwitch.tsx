import { useTranslation } from 'react-i18next';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { useSpeak } from '../../shared/ui/Link.tsx';
import { Segmented } from '../../shared/ui/Segmented.tsx';
import { toast } from '../../shared/ui/toasts.ts';

/** Renders the switch between the languages, each named in its own language. */
export function LanguageSwitch() {
  const { t } = useTranslation();
  const language = useLanguage();
  const speak = useSpeak();
  return (
    <Segmented
      label={t('shell.language')}
      value={language}
      options={[
        { value: 'en', label: t('shell.en'), lang: 'en' },
        { value: 'zh', label: t('shell.zh'), lang: 'zh-CN' },
      ]}
      onChange={(next) => next !== language && speak(next).catch(() => toast.error(t('settings.languageFailed')))}
    />
  );
}
