import { styled } from '@mui/material/styles';
import { useTranslation } from 'react-i18next';
import { DEMO_GAIN, demoStory } from '../../parts/productExample/demoStory.ts';
import { useToday } from '../../parts/productExample/useToday.ts';
import { monthName, unbroken } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { Icon } from '../../shared/legacy/Icon.tsx';

const Root = styled('aside')(({ theme: { vars, breakpoints, typography, shadows } }) => ({
  display: 'none',
  [breakpoints.up('md')]: { display: 'block', maxWidth: 520, paddingTop: 12 },
  '& .title': { ...typography.h2, textWrap: 'balance' },
  '& .lead': { marginTop: 8, maxWidth: '30em', color: vars.palette.text.secondary },
  '& figure': {
    margin: '32px 0 0',
    padding: '16px 20px 14px',
    borderRadius: 16,
    border: `1px solid ${vars.palette.divider}`,
    background: vars.palette.background.paper,
    boxShadow: shadows[2],
  },
  '& .won': {
    display: 'flex',
    gap: 12,
    alignItems: 'center',
    padding: '10px 14px',
    borderRadius: 12,
    background: vars.palette.side.main,
    color: vars.palette.side.contrastText,
    fontSize: 14,
    fontWeight: 600,
  },
  '& .line': {
    position: 'relative',
    height: 8,
    margin: '50px 7px 44px',
    borderRadius: 4,
    background: vars.palette.background.track,
  },
  '& .line > *': { position: 'absolute' },
  '& .window': { top: 0, bottom: 0, borderRadius: 4, background: vars.palette.primary.soft2 },
  '& .arc': {
    bottom: 14,
    right: 0,
    height: 14,
    border: `2px solid ${vars.palette.primary.main}`,
    borderBottom: 0,
    borderRadius: '6px 6px 0 0',
    textAlign: 'center',
  },
  '& .arc b': {
    position: 'relative',
    top: -12,
    padding: '0 8px',
    background: vars.palette.background.paper,
    color: vars.palette.primary.ink,
    fontSize: 13,
    fontWeight: 600,
    whiteSpace: 'nowrap',
  },
  '& .dot': {
    top: 4,
    width: 14,
    height: 14,
    margin: '-7px 0 0 -7px',
    boxSizing: 'border-box',
    borderRadius: 999,
    border: `3px solid ${vars.palette.background.paper}`,
    background: vars.palette.tertiary.main,
  },
  '& .new': { background: vars.palette.primary.main, boxShadow: `0 0 0 2px ${vars.palette.primary.main}` },
  '& .old': { background: vars.palette.background.paper, borderColor: vars.palette.control, borderWidth: 2 },
  '& .label': { top: 16, transform: 'translateX(-50%)', fontSize: 12, fontWeight: 600, whiteSpace: 'nowrap' },
  '& .gone': {
    left: 'auto',
    right: -7,
    transform: 'none',
    fontWeight: 400,
    color: vars.palette.text.tertiary,
    textDecoration: 'line-through',
  },
  '& .today': { left: -7, transform: 'none', fontWeight: 400, color: vars.palette.text.tertiary },
  '& figcaption': { textAlign: 'right', fontSize: 12, color: vars.palette.text.tertiary },
  '& ul': { display: 'grid', gap: 10, marginTop: 28, fontSize: 15, lineHeight: 1.6 },
  '& li': { display: 'flex', gap: 10, alignItems: 'center' },
  '& li svg': { flex: 'none', color: vars.palette.primary.main },
}));

const points = [
  { icon: 'wallet', words: 'auth.asidePoint1' },
  { icon: 'lock', words: 'auth.asidePoint2' },
  { icon: 'list', words: 'auth.asidePoint3' },
] as const;
const percent = (value: number) => `${value}%`;

/** Beside an account form where there is room: what all this is for, with a move on the date line, marked as an example. */
export function AuthAside({ kind }: { kind: 'new' | 'back' }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { won, before, at, months } = demoStory(useToday());
  const sentence = t('auth.asidePicture', { from: before, to: won, days: DEMO_GAIN });
  return (
    <Root>
      <p className="title">{t(kind === 'new' ? 'auth.asideNew' : 'auth.asideBack')}</p>
      <p className="lead">{t(kind === 'new' ? 'auth.asideNewText' : 'auth.asideBackText')}</p>
      <figure>
        <div role="img" aria-label={sentence}>
          <div className="won">
            <Icon name="calendarCheck" />
            <span>
              {t('landing.city0')} {unbroken(won)} {t('landing.demoTime')}
            </span>
          </div>
          <div className="line">
            <span className="window" style={{ left: percent(at.window[0]), width: percent(at.window[1]) }} />
            <span className="arc" style={{ left: percent(at.won) }}>
              <b>{t('landing.demoGain', { days: DEMO_GAIN })}</b>
            </span>
            <span className="dot" />
            <span className="dot old" style={{ left: '100%' }} />
            <span className="dot new" style={{ left: percent(at.won) }} />
            <span className="label today">{t('dateline.today')}</span>
            <span className="label" style={{ left: percent(at.won) }}>
              {unbroken(won)}
            </span>
            {months
              .filter(({ left }) => left > at.won + 14 && left < 76)
              .map((month) => (
                <span key={month.date} className="label" style={{ left: percent(month.left), fontWeight: 400 }}>
                  {monthName(month.date, language)}
                </span>
              ))}
            <span className="label gone">{unbroken(before)}</span>
          </div>
        </div>
        <figcaption>{t('landing.demoData')}</figcaption>
      </figure>
      <ul>
        {points.map((point) => (
          <li key={point.words}>
            <Icon name={point.icon} />
            {t(point.words)}
          </li>
        ))}
      </ul>
    </Root>
  );
}
