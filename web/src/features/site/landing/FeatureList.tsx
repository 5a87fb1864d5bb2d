import { useTranslation } from 'react-i18next';
import { If, useFacts, WhereBilled } from '../../../shared/api/facts.tsx';
import { useLanguage } from '../../../shared/i18n/useLanguage.ts';
import styles from './FeatureList.module.css';
import { PaceClock } from './PaceClock.tsx';
import { Section } from './Section.tsx';

const items = ['pace', 'cities', 'why', 'attempts', 'pay', 'password'] as const;

/**
 * Renders six details in `<details>` elements, of which at most one is open. This works without
 * scripts.
 */
export function FeatureList() {
  const { t } = useTranslation();
  const facts = useFacts();
  const language = useLanguage();
  return (
    <Section id="feedback" paper title={t('landing.listTitle')}>
      <div className={styles.columns}>
        <div>
          {items.map((item) => (
            <WhereBilled key={item} always={item !== 'pay'}>
              <details name="feature" open={item === 'pace'}>
                <summary>
                  <h3>{t(`landing.list.${item}`)}</h3>
                </summary>
                <p>{t(`landing.list.${item}Text`)}</p>
                {item === 'cities' && (
                  <If fact="places_en">
                    <p>{t('landing.list.citiesHere', { places: facts[`places_${language}`] })}</p>
                  </If>
                )}
              </details>
            </WhereBilled>
          ))}
        </div>
        <PaceClock />
      </div>
    </Section>
  );
}
