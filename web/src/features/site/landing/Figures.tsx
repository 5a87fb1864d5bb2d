import { useTranslation } from 'react-i18next';
import { If, useFacts } from '../../../shared/api/facts.tsx';
import { Container } from '../../../shared/ui/Layout.tsx';
import styles from './Figures.module.css';

/** Renders one number with its unit and its label. */
function Figure({ value, unit, label }: { value: string; unit?: string; label: string }) {
  return (
    <div className={styles.figure}>
      <dt>{label}</dt>
      <dd>
        {value}
        {unit && <small>{unit}</small>}
      </dd>
    </div>
  );
}

/**
 * Renders statistics of this server. With few ratings it shows no average, because that would be
 * misleading.
 */
export function Figures() {
  const { t } = useTranslation();
  const facts = useFacts();
  return (
    <If fact="figures">
      <section aria-labelledby="figures-title" className={styles.band}>
        <Container>
          <div className={styles.strip}>
            <div>
              <h2 id="figures-title">{t('figures.title')}</h2>
              <p>{t('figures.lead')}</p>
            </div>
            <dl>
              <Figure value={facts.finished_tasks} label={t('figures.tasks')} />
              <Figure value={facts.days_saved} label={t('figures.days')} />
              <Figure value={facts.checks_total} label={t('figures.checks')} />
              <If fact="enough">
                <Figure
                  value={facts.satisfied}
                  unit={t('figures.satisfied')}
                  label={t('figures.rated', { rating: facts.rating, n: facts.ratings })}
                />
              </If>
            </dl>
          </div>
          <p className={styles.at}>
            <If fact="figures_date">{t('figures.at', { date: facts.figures_date, time: facts.figures_time })}</If>
            <If fact="few">{t('figures.tooFew', { n: facts.ratings_wanted })}</If>
            <If fact="demo">{t('figures.demo')}</If>
          </p>
        </Container>
      </section>
    </If>
  );
}
