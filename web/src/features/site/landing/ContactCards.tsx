import { styled } from '@mui/material/styles';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { type Fact, If, useFacts } from '../../../shared/api/facts.tsx';
import { Icon } from '../../../shared/legacy/Icon.tsx';
import type { IconName } from '../../../shared/legacy/iconPaths.tsx';
import { CopyText } from './CopyText.tsx';
import { Section } from './Section.tsx';

const QR_PX = 220;

const Cards = styled('ul')(({ theme: { vars, breakpoints, shadows } }) => {
  const { palette } = vars;
  return {
    display: 'grid',
    gap: 12,
    gridTemplateColumns: 'repeat(2,minmax(0,1fr))',
    [breakpoints.up('md')]: { gridTemplateColumns: 'repeat(4,minmax(0,1fr))', gap: 24 },
    '& li': {
      display: 'grid',
      alignContent: 'start',
      justifyItems: 'center',
      padding: '12px 6px 14px',
      borderRadius: 16,
      border: `1px solid ${palette.divider}`,
      background: palette.background.paper,
      boxShadow: shadows[1],
      textAlign: 'center',
      fontSize: 13,
      lineHeight: 1.55,
      color: palette.text.tertiary,
      [breakpoints.up('md')]: { padding: 20 },
    },
    '& .picture': {
      maxWidth: 280,
      display: 'grid',
      placeItems: 'center',
      width: '100%',
      height: 136,
      marginBottom: 12,
      borderRadius: 12,
      border: `1px solid ${palette.divider}`,
      background: palette.background.quiet,
      color: palette.primary.main,
      [breakpoints.up('md')]: { height: 196, marginBottom: 16 },
    },
    '& img': {
      width: 116,
      height: 116,
      borderRadius: 8,
      background: palette.common.white,
      [breakpoints.up('md')]: { width: 172, height: 172 },
    },
    '& h3': {
      display: 'flex',
      alignItems: 'center',
      gap: 8,
      fontSize: 16,
      fontWeight: 600,
      lineHeight: 1.5,
      color: palette.text.primary,
    },
    '& h3 svg': { color: palette.primary.main, [breakpoints.down('sm')]: { display: 'none' } },
    '& .name': {
      display: 'flex',
      flexWrap: 'wrap',
      alignItems: 'center',
      justifyContent: 'center',
      minHeight: 36,
      gap: '0 4px',
      fontSize: 13,
      fontWeight: 500,
      color: palette.text.primary,
      [breakpoints.up('md')]: { fontSize: 14 },
    },
    '& .name a': { display: 'inline-flex', alignItems: 'center', minHeight: 28, color: 'inherit', textDecoration: 'none' },
    '& button': {
      display: 'flex',
      alignItems: 'center',
      gap: 4,
      minHeight: 32,
      padding: '0 8px',
      border: 0,
      borderRadius: 16,
      background: 'none',
      font: 'inherit',
      fontWeight: 600,
      color: palette.primary.ink,
      cursor: 'pointer',
      '&:hover': { background: palette.primary.soft },
    },
    '& .sun': { fill: palette.tertiary.main, stroke: palette.background.quiet, strokeWidth: 4 },
    '& .letter': { fill: palette.background.paper },
  };
});

interface Props {
  fact: Fact;
  icon: IconName;
  title: string;
  text: string;
  /** Its code, or what stands in its place. */
  picture: ReactNode;
  children: ReactNode;
}

function Contact({ fact, icon, title, text, picture, children }: Props) {
  return (
    <If fact={fact}>
      <li>
        <div className="picture">{picture}</div>
        <h3>
          <Icon name={icon} />
          {title}
        </h3>
        <div className="name">{children}</div>
        {text}
      </li>
    </If>
  );
}

/** A code as a picture, which chat apps recognise on a long press; the icon where the operator has none. */
function Code({ fact, src, title, icon }: { fact: Fact; src: string; title: string; icon: IconName }) {
  const { t } = useTranslation();
  return (
    <>
      <If fact={fact}>
        <img src={src} alt={t('landing.qr', { what: title })} width={QR_PX} height={QR_PX} loading="lazy" />
      </If>
      <If not={fact}>
        <Icon name={icon} size={64} />
      </If>
    </>
  );
}

/** Four ways to a person; what the operator has not set up is not shown. */
export function ContactCards() {
  const { t } = useTranslation();
  const facts = useFacts();
  const [wechat, group, social] = [t('landing.contactWechat'), t('landing.contactGroup'), t('landing.contactSocial')];
  const hours = (
    <>
      <If fact="hours_from">{t('support.hours', { from: facts.hours_from, to: facts.hours_to })}</If>
      <If not="hours_from">{facts.hours}</If>
    </>
  );
  return (
    <If fact="contact">
      <Section id="contact" close title={t('landing.contactTitle')} lead={hours}>
        <Cards>
          <Contact
            fact="wechat"
            icon="chat"
            title={wechat}
            text={t('landing.contactWechatText')}
            picture={<Code fact="wechat_qr" src={facts.wechat_qr} title={wechat} icon="chat" />}
          >
            <If fact="wechat_id">
              {facts.wechat_id}
              <CopyText text={facts.wechat_id} />
            </If>
          </Contact>
          <Contact
            fact="group"
            icon="users"
            title={group}
            text={t('landing.contactGroupText')}
            picture={<Code fact="group_qr" src={facts.group_qr} title={group} icon="users" />}
          >
            {facts.group_name}
          </Contact>
          <Contact
            fact="email"
            icon="mail"
            title={t('landing.contactMail')}
            text={t('landing.contactMailText')}
            picture={<Letter />}
          >
            <a href={facts.email_href}>{facts.email}</a>
            <CopyText text={facts.email} />
          </Contact>
          <Contact
            fact="social"
            icon="note"
            title={social}
            text={t('landing.contactSocialText')}
            picture={<Code fact="xiaohongshu_qr" src={facts.xiaohongshu_qr} title={social} icon="note" />}
          >
            <If fact="xiaohongshu_id">
              @{facts.xiaohongshu_id}
              <CopyText text={facts.xiaohongshu_id} />
            </If>
          </Contact>
        </Cards>
      </Section>
    </If>
  );
}

/** A letter in the morning sun. */
function Letter() {
  return (
    <svg viewBox="0 0 120 96" width="132" aria-hidden="true" fill="none" stroke="currentColor" strokeWidth="2.5">
      <rect className="letter" x="14" y="22" width="92" height="64" rx="12" />
      <path d="M18 30l42 30 42-30" strokeLinecap="round" strokeLinejoin="round" />
      <circle className="sun" cx="98" cy="22" r="12" />
    </svg>
  );
}
