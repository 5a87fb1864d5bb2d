import { Share, SquarePlus, Sunrise } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../../shared/ui/Icon.tsx';
import { Text } from '../../../shared/ui/Text.tsx';
import styles from './channels.module.css';

const steps = [
  { icon: Share, textKey: 'reach.home.share' },
  { icon: SquarePlus, textKey: 'reach.home.add' },
  { icon: Sunrise, textKey: 'reach.home.open' },
] as const;

/**
 * Renders instructions with three pictures for adding the app to an iPhone's home screen. iPhones
 * notify only installed apps.
 */
export function HomeScreen() {
  const { t } = useTranslation();
  return (
    <>
      <Text>{t('reach.home.text')}</Text>
      <ol className={styles.home}>
        {steps.map(({ icon, textKey }, at) => (
          <li key={textKey} className={styles.homeStep}>
            <span aria-hidden="true" className={styles.phone} data-step={at + 1}>
              <i>
                <Icon of={icon} size={20} />
              </i>
            </span>
            <Text variant="small">{t(textKey)}</Text>
          </li>
        ))}
      </ol>
      <Text variant="caption" color="secondary">
        {t('reach.home.version')}
      </Text>
    </>
  );
}
