import { styled } from '@mui/material/styles';
import { useTranslation } from 'react-i18next';

const Figure = styled('figure')(({ theme: { vars } }) => {
  const { palette } = vars;
  return {
    display: 'grid',
    justifyItems: 'center',
    width: '100%',
    maxWidth: 440,
    justifySelf: 'center',
    padding: '8px 24px 28px',
    borderRadius: 24,
    background: palette.background.default,
    '& svg': { width: '100%', maxWidth: 392 },
    '& circle': { fill: palette.background.paper },
    '& .face': { stroke: palette.divider, strokeWidth: 1.5 },
    '& .minutes': { fill: 'none', stroke: palette.divider, strokeWidth: 6 },
    '& .hours': { fill: 'none', stroke: palette.text.tertiary, strokeWidth: 14 },
    '& .look': { fill: palette.heat[3] },
    '& .now': { fill: palette.primary.main },
    '& .ring': { stroke: palette.primary.soft2, strokeWidth: 3 },
    '& .next': { stroke: palette.primary.main, strokeWidth: 2.5, strokeDasharray: '4 4' },
    '& .way': { fill: 'none', stroke: palette.primary.soft2, strokeWidth: 4, strokeLinecap: 'round', strokeDasharray: '.1 9' },
    '& text': { textAnchor: 'middle', fill: palette.text.primary, fontSize: 44, fontWeight: 600 },
    '& text + text': { fill: palette.text.secondary, fontSize: 15, fontWeight: 400 },
    '& figcaption': { display: 'flex', flexWrap: 'wrap', justifyContent: 'center', gap: '4px 24px', fontSize: 14 },
    '& figcaption span': { display: 'flex', alignItems: 'center', gap: 8, color: palette.text.secondary },
    '& i': { width: 12, height: 12, borderRadius: '50%', background: palette.primary.main },
    '& span + span i': { background: 'none', border: `2px solid ${palette.primary.main}` },
  };
});

/** Minutes of the hour at which the account was looked at before the last time. */
const BEFORE = [5, 15, 25];
const turned = (minute: number) => `rotate(${minute * 6} 200 200)`;
/** A dash of 2 px every so many parts of the ring at this radius, beginning at its top. */
const ticks = (radius: number, parts: number) => {
  const part = (2 * Math.PI * radius) / parts;
  return { r: radius, strokeDasharray: `2 ${(part - 2).toFixed(2)}`, transform: 'rotate(-90.5 200 200)' };
};

/** An hour as a dial: the looks made in it, the last one ringed, the next one dashed, and how many there may be at most. */
export function PaceClock() {
  const { t } = useTranslation();
  return (
    <Figure>
      <svg viewBox="0 0 400 400" aria-hidden="true">
        <circle className="face" cx="200" cy="200" r="150" />
        <circle className="minutes" cx="200" cy="200" {...ticks(135, 60)} />
        <circle className="hours" cx="200" cy="200" {...ticks(131, 12)} />
        {BEFORE.map((minute) => (
          <circle key={minute} className="look" cx="200" cy="92" r="9" transform={turned(minute)} />
        ))}
        <path className="way" d="M108 143a108 108 0 0 0-8 98" />
        <circle className="ring" cx="200" cy="92" r="18" transform={turned(40)} />
        <circle className="now" cx="200" cy="92" r="11" transform={turned(40)} />
        <circle className="next" cx="200" cy="92" r="10" transform={turned(50)} />
        <text x="200" y="198">
          4 / 6
        </text>
        <text x="200" y="228">
          {t('landing.paceCaption')}
        </text>
      </svg>
      <figcaption>
        <span>
          <i />
          {t('landing.paceNow')}
        </span>
        <span>
          <i />
          {t('landing.paceNext')}
        </span>
      </figcaption>
    </Figure>
  );
}
