import { CalendarCheck, Check, Laptop, type LucideIcon, Mail, Smartphone } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { demoStory } from '../../../parts/productExample/demoStory.ts';
import { useToday } from '../../../parts/productExample/useToday.ts';
import { If } from '../../../shared/api/facts.tsx';
import { classes } from '../../../shared/ui/classes.ts';
import { Icon } from '../../../shared/ui/Icon.tsx';
import styles from './featurePictures.module.css';

/** Number of dates in each check, as levels of the heat map. There is one row per city. */
const checks = ['1201324', '0100102', '0010211'] as const;
const cities = ['landing.city0', 'landing.city1', 'landing.city2'] as const;
const times = ['20:10', '', '', '20:55', '', '', '21:40'] as const;

const levels = [undefined, styles.level1, styles.level2, styles.level3, styles.level4] as const;

/**
 * Renders a picture of the checks of three cities during an evening. Darker cells had more dates.
 */
export function ChecksPicture() {
  const { t } = useTranslation();
  return (
    <div className={styles.checks}>
      <span />
      {times.map((time, index) => (
        <small key={index}>{time}</small>
      ))}
      {cities.map((city, row) => [
        <span key={city}>{t(city)}</span>,
        ...[...(checks[row] ?? '')].map((level, index) => (
          <i key={`${city}${index}`} className={classes(levels[Number(level)], index === 6 && styles.now) || undefined} />
        )),
      ])}
    </div>
  );
}

/**
 * Renders a picture of one notification by mail (if this server sends any), on the page, and in a
 * chat app.
 */
export function AlertsPicture() {
  const { t } = useTranslation();
  const { won } = demoStory(useToday());
  const booked = t('landing.alertMailText', { date: won });
  return (
    <div className={styles.alerts}>
      <If fact="mail">
        <Alert icon={Mail} name={t('landing.alertMail')} text={booked} />
      </If>
      <Alert icon={Laptop} name={t('landing.alertPage')} text={t('landing.alertPageText')} />
      <Alert icon={Smartphone} name={t('landing.alertApps')} text={booked} />
    </div>
  );
}

function Alert({ icon, name, text }: { icon: LucideIcon; name: string; text: string }) {
  const { t } = useTranslation();
  return (
    <div>
      <Icon of={icon} />
      <p>
        <b>{name}</b>
        <small>{t('landing.justNow')}</small>
        <span>{text}</span>
      </p>
    </div>
  );
}

/** Renders a picture of a date that meets all criteria and is booked. */
export function CriteriaPicture() {
  const { t } = useTranslation();
  const { won } = demoStory(useToday());
  const met = [t('landing.met1'), t('landing.met2'), t('landing.met3'), t('landing.met4')];
  return (
    <div className={styles.met}>
      {t('landing.city0')} {won} {t('landing.demoTime')}
      <ul>
        {met.map((label) => (
          <li key={label}>
            <Icon of={Check} size={16} />
            {label}
          </li>
        ))}
      </ul>
      <div className={styles.done}>
        <Icon of={CalendarCheck} size={18} />
        <b>{t('landing.metDone')}</b>
        <span>{t('landing.metTime')}</span>
      </div>
    </div>
  );
}
