import { type LucideIcon, Mail, MessageCircleMore, NotepadText, Users } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { type Fact, If, useFacts } from '../../../shared/api/facts.tsx';
import { Icon } from '../../../shared/ui/Icon.tsx';
import styles from './ContactCards.module.css';
import { CopyText } from './CopyText.tsx';
import { Section } from './Section.tsx';

const QR_PX = 220;

interface Props {
  fact: Fact;
  icon: LucideIcon;
  title: string;
  text: string;
  /** QR code, or an icon in its place. */
  picture: ReactNode;
  children: ReactNode;
}

function Contact({ fact, icon, title, text, picture, children }: Props) {
  return (
    <If fact={fact}>
      <li>
        <div className={styles.picture}>{picture}</div>
        <h3>
          <Icon of={icon} />
          {title}
        </h3>
        <div className={styles.name}>{children}</div>
        {text}
      </li>
    </If>
  );
}

/**
 * Renders a QR code, or an icon if there is none. The code is an image, because chat apps recognise
 * images on a long press.
 */
function Code({ fact, src, title, icon }: { fact: Fact; src: string; title: string; icon: LucideIcon }) {
  const { t } = useTranslation();
  return (
    <>
      <If fact={fact}>
        <img src={src} alt={t('contact.qr', { what: title })} width={QR_PX} height={QR_PX} loading="lazy" />
      </If>
      <If not={fact}>
        <Icon of={icon} size={32} />
      </If>
    </>
  );
}

/** Renders four contacts of support. Contacts that the operator has not configured are omitted. */
export function ContactCards() {
  const { t } = useTranslation();
  const facts = useFacts();
  const [wechat, group, social] = [t('contact.wechat'), t('contact.group'), t('contact.social')];
  const hours = (
    <>
      <If fact="hours_from">{t('support.hours', { from: facts.hours_from, to: facts.hours_to })}</If>
      <If not="hours_from">
        <If fact="hours">{facts.hours}</If>
      </If>
    </>
  );
  return (
    <If fact="contact">
      <Section id="contact" close title={t('contact.title')} lead={hours}>
        <ul className={styles.cards}>
          <Contact
            fact="wechat"
            icon={MessageCircleMore}
            title={wechat}
            text={t('contact.wechatText')}
            picture={<Code fact="wechat_qr" src={facts.wechat_qr} title={wechat} icon={MessageCircleMore} />}
          >
            <If fact="wechat_id">
              {facts.wechat_id}
              <CopyText text={facts.wechat_id} />
            </If>
          </Contact>
          <Contact
            fact="group"
            icon={Users}
            title={group}
            text={t('contact.groupText')}
            picture={<Code fact="group_qr" src={facts.group_qr} title={group} icon={Users} />}
          >
            <If fact="group_name">{facts.group_name}</If>
          </Contact>
          <Contact fact="email" icon={Mail} title={t('contact.mail')} text={t('contact.mailText')} picture={<Letter />}>
            <a href={facts.email_href}>{facts.email}</a>
            <CopyText text={facts.email} />
          </Contact>
          <Contact
            fact="social"
            icon={NotepadText}
            title={social}
            text={t('contact.socialText')}
            picture={<Code fact="xiaohongshu_qr" src={facts.xiaohongshu_qr} title={social} icon={NotepadText} />}
          >
            <If fact="xiaohongshu_id">
              @{facts.xiaohongshu_id}
              <CopyText text={facts.xiaohongshu_id} />
            </If>
          </Contact>
        </ul>
      </Section>
    </If>
  );
}

/** Renders the illustration of a letter before the rising sun. */
function Letter() {
  return (
    <svg viewBox="0 0 120 96" className={styles.letter} aria-hidden="true" fill="none" stroke="currentColor" strokeWidth="2.5">
      <rect x="14" y="22" width="92" height="64" rx="12" />
      <path d="M18 30l42 30 42-30" strokeLinecap="round" strokeLinejoin="round" />
      <circle cx="98" cy="22" r="12" />
    </svg>
  );
}
