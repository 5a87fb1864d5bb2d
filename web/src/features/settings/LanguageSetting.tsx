import i18next from 'i18next';
import { Globe } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { changeLanguage } from '../../shared/i18n/changeLanguage.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { Segmented } from '../../shared/ui/Segmented.tsx';
import { toast } from '../../shared/ui/toasts.ts';
import { Section } from './Section.tsx';

/** Renders the choice of the language for pages and mails. */
export function LanguageSetting() {
  const { t } = useTranslation();
  const language = useLanguage();
  return (
    <Section
      id="language"
      icon={Globe}
      title={t('settings.language')}
      text={t('settings.languageText')}
      mark={
        <Segmented
          label={t('settings.language')}
          value={language}
          options={[
            { value: 'en', label: t('settings.english'), lang: 'en' },
            { value: 'zh', label: t('settings.chinese'), lang: 'zh-CN' },
          ]}
          onChange={(next) =>
            changeLanguage(next)
              .then(() => toast.success(i18next.t('settings.languageSaved')))
              .catch(() => toast.error(i18next.t('settings.languageFailed')))
          }
        />
      }
    />
  );
}
