import { SunMoon } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { chooseScheme, useSchemeChoice } from '../../shared/theme/scheme.ts';
import { Segmented } from '../../shared/ui/Segmented.tsx';
import { Section } from './Section.tsx';
import styles from './settings.module.css';

/** Renders the choice between light and dark, for this browser. */
export function AppearanceSetting() {
  const { t } = useTranslation();
  return (
    <Section id="appearance" icon={SunMoon} title={t('settings.appearance')} text={t('settings.appearanceText')}>
      <div className={styles.own}>
        <Segmented
          label={t('settings.appearance')}
          value={useSchemeChoice()}
          options={[
            { value: 'system', label: t('settings.scheme.system') },
            { value: 'light', label: t('settings.scheme.light') },
            { value: 'dark', label: t('settings.scheme.dark') },
          ]}
          onChange={chooseScheme}
        />
      </div>
    </Section>
  );
}
