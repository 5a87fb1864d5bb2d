import { useTranslation } from 'react-i18next';
import { useLanguage } from '../../../shared/i18n/useLanguage.ts';
import { Film } from './Film.tsx';
import { reached, shownOf } from './filmFacts.ts';
import { PriceTag } from './PriceTag.tsx';
import { Section } from './Section.tsx';
import styles from './Showcase.module.css';
import { useFilm } from './useFilm.ts';

const steps = [1, 2, 3] as const;

/**
 * Renders the three steps, and beside them a video of the product with demo data. The present step
 * follows the video.
 */
export function Showcase() {
  const { t } = useTranslation();
  const film = useFilm(useLanguage());
  const { facts, second } = film;
  // The still picture shows the last step.
  const now = second === null ? steps.length - 1 : reached(facts.chapters, second);
  return (
    <Section id="showcase" title={t('showcase.title')} lead={t('showcase.lead')} aside={<PriceTag />}>
      <div className={styles.show}>
        <ol className={styles.steps}>
          {steps.map((step, index) => (
            <li key={step} className={index === now ? styles.on : undefined}>
              <h3>{t(`showcase.step${step}`)}</h3>
              <p>{t(`showcase.step${step}Text`)}</p>
              <svg className={styles.bar} aria-hidden="true">
                <rect width={`${100 * (second === null ? 1 : shownOf(facts, index, second))}%`} height="100%" />
              </svg>
            </li>
          ))}
        </ol>
        <Film {...film} />
      </div>
    </Section>
  );
}
