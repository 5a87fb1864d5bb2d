import { useTranslation } from 'react-i18next';
import { If, useFacts } from '../../../shared/api/facts.tsx';
import { classes } from '../../../shared/ui/classes.ts';
import { Container } from '../../../shared/ui/Layout.tsx';
import styles from './Figures.module.css';

/** One figure: the number, small beside it what it is a part of, and what it counts. */
function Figure({ value, unit, label, few }: { value: string; unit?: string; label: string; few?: boolean }) {
  return (
    <div className={classes(styles.figure, few && styles.few)}>
      <dt>{label}</dt>
      <dd>
        {value}
        {unit && <small>{unit}</small>}
      </dd>
    </div>
  );
}

/** To date: counted, never invented. With too few ratings the count towards them stands instead of a rate. */
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
              <If fact="few">
                <Figure
                  few
                  value={facts.ratings}
                  unit={t('figures.ofRatings', { n: facts.ratings_wanted })}
                  label={t('figures.tooFew', { n: facts.ratings_wanted })}
                />
              </If>
            </dl>
          </div>
          <p className={styles.at}>
            <If fact="figures_date">{t('figures.at', { date: facts.figures_date, time: facts.figures_time })}</If>
            <If fact="demo">{t('figures.demo')}</If>
          </p>
        </Container>
      </section>
    </If>
  );
}
