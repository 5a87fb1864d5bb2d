import { styled } from '@mui/material/styles';
import { useTranslation } from 'react-i18next';
import { demoStory } from '../../../parts/productExample/demoStory.ts';
import { useToday } from '../../../parts/productExample/useToday.ts';
import { Icon } from '../../../shared/legacy/Icon.tsx';

/** The three features with their fragments of the product: side by side, picture beside words on a tablet, one above another on a phone. */
export const Fragments = styled('ul')(({ theme: { vars, breakpoints } }) => {
  const { palette } = vars;
  const tile = { background: palette.background.paper, border: `1px solid ${palette.divider}`, borderRadius: 12 } as const;
  return {
    display: 'grid',
    gap: 36,
    [breakpoints.up('md')]: { gridTemplateColumns: 'repeat(3,minmax(0,1fr))', gap: 24 },
    '& > li': {
      minWidth: 0,
      [breakpoints.between('sm', 'md')]: {
        display: 'grid',
        gridTemplateColumns: '320px 1fr',
        columnGap: 28,
        alignContent: 'center',
        '& .frame': { gridRow: '1/3', margin: 0 },
        '& h3': { alignSelf: 'end' },
      },
    },
    '& h3': { display: 'flex', alignItems: 'center', gap: 10, fontSize: 20, fontWeight: 600, lineHeight: 1.5 },
    '& h3 svg': { color: palette.primary.main },
    '& li > p': { marginTop: 6, fontSize: 15, lineHeight: 1.75, color: palette.text.secondary },
    '& .frame': {
      height: 212,
      marginBottom: 20,
      display: 'grid',
      placeItems: 'center',
      overflow: 'hidden',
      borderRadius: 16,
      border: `1px solid ${palette.divider}`,
      background: palette.background.quiet,
      fontSize: 13,
      lineHeight: 1.5,
      color: palette.text.secondary,
    },
    '& .frame svg': { color: palette.primary.main },
    '& .frame b': { fontWeight: 600, color: palette.text.primary },
    // Looks: a row a city, a column a look; the last one ringed.
    '& .looks': { display: 'grid', gridTemplateColumns: 'auto repeat(7,26px)', gap: 6, alignItems: 'center' },
    '& .looks span': { fontWeight: 500, paddingRight: 8 },
    '& .looks small': {
      width: 0,
      justifySelf: 'center',
      display: 'flex',
      justifyContent: 'center',
      whiteSpace: 'nowrap',
      fontSize: 12,
      color: palette.text.tertiary,
    },
    '& .looks small:last-of-type': { fontWeight: 600, color: palette.primary.ink },
    '& .looks i': { height: 26, borderRadius: 6, background: palette.heat[0] },
    '& .looks .h1': { background: palette.heat[1] },
    '& .looks .h2': { background: palette.heat[2] },
    '& .looks .h3': { background: palette.heat[3] },
    '& .looks .h4': { background: palette.heat[4] },
    '& .looks .now': { outline: `2px solid ${palette.primary.main}`, outlineOffset: 2 },
    // Alerts: one card a channel.
    '& .alerts': { display: 'grid', gap: 7, width: 284 },
    '& .alerts > div': { ...tile, display: 'flex', gap: 12, alignItems: 'center', padding: '6px 14px' },
    '& .alerts p': { flex: 1, display: 'flex', flexWrap: 'wrap', justifyContent: 'space-between' },
    '& .alerts span': { width: '100%' },
    '& .alerts small': { fontSize: 12, color: palette.text.tertiary },
    '& .alerts .soon, & .alerts .soon svg, & .alerts .soon b': { color: palette.text.tertiary, background: 'none' },
    // Conditions: all met, then booked.
    '& .met': { width: 284 },
    '& .met ul': { display: 'grid', gridTemplateColumns: '1fr 1fr', gap: 8, margin: '8px 0 12px' },
    '& .met li': {
      ...tile,
      display: 'flex',
      gap: 8,
      alignItems: 'center',
      padding: '6px 12px',
      fontWeight: 500,
      whiteSpace: 'nowrap',
    },
    '& .done': {
      display: 'flex',
      gap: 8,
      alignItems: 'center',
      padding: '10px 12px',
      borderRadius: 12,
      background: palette.side.main,
    },
    '& .done, & .done b, & .done svg': { color: palette.side.contrastText },
    '& .done span': { marginLeft: 'auto' },
  };
});

/** How many dates there were at a look, as levels of the heat map: a row a city. */
const looks = ['1201324', '0100102', '0010211'] as const;
const cities = ['landing.city0', 'landing.city1', 'landing.city2'] as const;
const times = ['20:10', '', '', '20:55', '', '', '21:40'] as const;

/** Looks at three cities over an evening: the darker, the more dates were there. */
export function LooksFragment() {
  const { t } = useTranslation();
  return (
    <div className="looks">
      <span />
      {times.map((time, index) => (
        <small key={index}>{time}</small>
      ))}
      {cities.map((city, row) => [
        <span key={city}>{t(city)}</span>,
        ...[...(looks[row] ?? '')].map((level, index) => (
          <i key={`${city}${index}`} className={`h${level}${index === 6 ? ' now' : ''}`} />
        )),
      ])}
    </div>
  );
}

/** The same good news by mail and on the page; what is not there yet says so. */
export function AlertsFragment() {
  const { t } = useTranslation();
  const { won } = demoStory(useToday());
  const alerts = [
    { icon: 'mail', name: t('landing.alertMail'), text: t('landing.alertMailText', { date: won }), when: t('landing.justNow') },
    { icon: 'computer', name: t('landing.alertPage'), text: t('landing.alertPageText'), when: t('landing.justNow') },
    { icon: 'phone', name: t('landing.alertSoon'), text: t('landing.alertSoonText'), when: '' },
  ] as const;
  return (
    <div className="alerts">
      {alerts.map((alert) => (
        <div key={alert.icon} className={alert.when ? undefined : 'soon'}>
          <Icon name={alert.icon} />
          <p>
            <b>{alert.name}</b>
            <small>{alert.when}</small>
            <span>{alert.text}</span>
          </p>
        </div>
      ))}
    </div>
  );
}

/** A date that meets every condition, booked. */
export function ConditionsFragment() {
  const { t } = useTranslation();
  const { won } = demoStory(useToday());
  const met = [t('landing.met1'), t('landing.met2'), t('landing.met3'), t('landing.met4')];
  return (
    <div className="met">
      {t('landing.city0')} {won} {t('landing.demoTime')}
      <ul>
        {met.map((words) => (
          <li key={words}>
            <Icon name="check" size={16} />
            {words}
          </li>
        ))}
      </ul>
      <div className="done">
        <Icon name="calendarCheck" size={18} />
        <b>{t('landing.metDone')}</b>
        <span>{t('landing.metTime')}</span>
      </div>
    </div>
  );
}
