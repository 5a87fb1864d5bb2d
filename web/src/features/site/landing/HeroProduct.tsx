import type { CSSProperties } from 'react';
import { useTranslation } from 'react-i18next';
import { DEMO_DAY, DEMO_GAIN, type DemoStory, demoStory } from '../../../parts/productExample/demoStory.ts';
import { useToday } from '../../../parts/productExample/useToday.ts';
import { addDays } from '../../../shared/format/dates.ts';
import { dateInFull, monthName, unbroken, weekdayLetter, yearMonth } from '../../../shared/i18n/format.ts';
import { useLanguage } from '../../../shared/i18n/useLanguage.ts';
import { Icon } from '../../../shared/legacy/Icon.tsx';
import { LiveDot } from '../../../shared/ui/LiveDot.tsx';
import { HeroFigure } from './heroStyles.ts';

const MONDAY = '2026-11-23';
const percent = (value: number) => `${value}%`;
const log = [
  { at: '21:40:06', words: 'landing.log1' },
  { at: '21:40:07', words: 'landing.log2' },
  { at: '21:40:09', words: 'landing.log3' },
] as const;

/**
 * A piece of the real product with invented data, labelled as such: a booking that has just arrived, and the dates seen in its
 * month. Whole as it stands; `enhance` plays how it came about, once, when it is on the screen.
 */
export function HeroProduct() {
  const { t } = useTranslation();
  const language = useLanguage();
  const story = demoStory(useToday());
  const date = unbroken(story.won);
  return (
    <HeroFigure aria-label={t('landing.demoPicture')}>
      <div className="card">
        <div className="task">
          <div className="row">
            <span className="chip">
              <LiveDot />
              {t('task.monitoring')}
            </span>
            <b>{t('landing.demoNames')}</b>
            <span className="day">{t('landing.demoDay', { day: DEMO_DAY })}</span>
          </div>
          <div className="verdict">
            <div className="won">
              <Icon name="calendarCheck" size={24} />
              <div>
                <b>
                  {t('landing.city0')} <span className="nb">{date}</span> <span className="nb">{t('landing.demoTime')}</span>
                </b>
                {t('landing.demoWonText')}
              </div>
            </div>
            <div className="look" aria-hidden>
              <Icon name="eye" size={24} />
              {t('landing.demoLooking')}
            </div>
          </div>
          <HeroLine story={story} />
          <ol>
            {log.map((row, index) => (
              <li key={row.at}>
                <time>{row.at}</time>
                <i>{index === 2 && <Icon name="check" size={12} />}</i>
                {index === 2 ? <b>{t(row.words)}</b> : <span>{t(row.words, { date: story.won })}</span>}
              </li>
            ))}
          </ol>
          <span data-play-mark />
        </div>
        <div className="seen">
          <div className="row">
            <b>{t('landing.city0')}</b>
            <span>{yearMonth(story.won, language)}</span>
          </div>
          <div className="grid" role="img" aria-label={t('landing.demoCalendar', { day: dateInFull(story.won, language) })}>
            {[0, 1, 2, 3, 4].map((day) => (
              <small key={day}>{weekdayLetter(addDays(MONDAY, day), language)}</small>
            ))}
            {story.calendar.cells.map((cell, index) => (
              <i
                key={cell.day}
                className={cell.booked ? 'booked' : cell.level ? `h${cell.level}` : undefined}
                style={index === 0 && story.calendar.blanks ? { gridColumnStart: story.calendar.blanks + 1 } : undefined}
              >
                {cell.day}
              </i>
            ))}
          </div>
          <div className="row key">
            <i />
            <i className="h1" />
            <i className="h2" />
            <i className="h3" />
            <i className="h4" />
            <span>{t('landing.demoKey')}</span>
          </div>
          <p>{t('landing.demoSeen', { n: story.calendar.seen })}</p>
        </div>
      </div>
      <figcaption>{t('landing.demoData')}</figcaption>
    </HeroFigure>
  );
}

/** The move on the date line: left is sooner. */
function HeroLine({ story: { won, before, at, months } }: { story: DemoStory }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const span = ([left, width]: [number, number]) => ({ left: percent(left), width: percent(width) });
  const here = { left: 'var(--won)' };
  const sentence = t('landing.demoLine', { from: before, to: won, days: DEMO_GAIN });
  return (
    <div className="line" role="img" aria-label={sentence}>
      <div className="track" style={{ '--won': percent(at.won) } as CSSProperties}>
        <span className="window" style={span(at.window)} />
        <span className="not" style={span(at.excluded)} />
        {at.seen.map((tick) => (
          <span key={tick.left} className={tick.wanted ? 'tick in' : 'tick'} style={{ left: percent(tick.left) }} />
        ))}
        <span className="arc" style={here}>
          <span>{t('landing.demoGain', { days: DEMO_GAIN })}</span>
        </span>
        <span className="dot today" />
        <span className="dot old" />
        <span className="slide">
          <span className="dot" />
        </span>
        <span className="label">{t('dateline.today')}</span>
        <span className="label" style={here}>
          <b>{won}</b>
        </span>
        <span className="label gone">{before}</span>
        {months.map((month) => (
          <span key={month.date} className="month" style={{ left: percent(month.left) }}>
            {month.date.slice(5, 7) === '01'
              ? t('dateline.year', { year: month.date.slice(0, 4) })
              : monthName(month.date, language)}
          </span>
        ))}
      </div>
    </div>
  );
}
