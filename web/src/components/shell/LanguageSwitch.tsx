import { useTranslation } from 'react-i18next';
import { useLanguage } from '../../i18n/useLanguage.ts';
import { changeLanguage } from '../../lib/changeLanguage.ts';
import { tellError } from '../../lib/tellError.ts';
import { Segmented } from '../../ui/Segmented.tsx';

/** EN / 中文, each in its own language. */
export function LanguageSwitch() {
  const { t } = useTranslation();
  const language = useLanguage();
  return (
    <Segmented
      label={t('shell.language')}
      value={language}
      options={[
        { value: 'en', label: t('shell.en'), lang: 'en' },
        { value: 'zh', label: t('shell.zh'), lang: 'zh-CN' },
      ]}
      onChange={(next) => changeLanguage(next).catch(() => tellError(t('settings.languageFailed')))}
    />
  );
}
