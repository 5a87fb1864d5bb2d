import { type CSSProperties, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { paths } from '../../shared/routing/paths.ts';
import { useScheme } from '../../shared/theme/scheme.ts';
import { Skeleton } from '../../shared/ui/Skeleton.tsx';
import { VisuallyHidden } from '../../shared/ui/Text.tsx';
import styles from './card.module.css';
import { type FrameEvent, type FrameOrder, frameOrder, readFrameEvent } from './cardFrame.ts';

const FIRST_HEIGHT_PX = 96;
/**
 * Height from which the bank's page is assumed, which also needs more width. The card's own fields
 * are never that high.
 */
const QUESTION_FROM_PX = 400;

interface Props {
  /** The page if it has an origin of its own, or null for the one on the app's origin. */
  page: string | null;
  ready: boolean;
  onEvent: (event: FrameEvent) => void;
  /** Gets a function that sends a message to the page. */
  onPost: (post: ((order: FrameOrder) => void) | null) => void;
}

/**
 * Renders the card entry, a document with an origin of its own if configured. Messages count only
 * from that origin.
 */
export function CardFrame({ page, ready, onEvent, onPost }: Props) {
  const { t } = useTranslation();
  const language = useLanguage();
  const theme = useScheme();
  // Language and colours of the first render. A later change would clear the card's fields.
  const [address] = useState(() => paths.pay(page, language, theme));
  const origin = new URL(address, window.location.href).origin;
  const [height, setHeight] = useState(FIRST_HEIGHT_PX);
  const frame = useRef<HTMLIFrameElement>(null);
  const hear = useEffectEvent((message: MessageEvent) => {
    if (message.origin !== origin || message.source !== frame.current?.contentWindow) return;
    const event = readFrameEvent(message.data);
    if (event?.type === 'resize') setHeight(event.height);
    if (event) onEvent(event);
  });
  const offer = useEffectEvent(onPost);
  useEffect(() => {
    const listen = (message: MessageEvent) => hear(message);
    window.addEventListener('message', listen);
    offer((order) => frame.current?.contentWindow?.postMessage(frameOrder(order), origin));
    return () => {
      window.removeEventListener('message', listen);
      offer(null);
    };
  }, [origin]);
  return (
    <div className={styles.frame}>
      {!ready && (
        <>
          <span role="status">
            <VisuallyHidden>{t('card.loading')}</VisuallyHidden>
          </span>
          <Skeleton kind="block" className={styles.waiting} />
        </>
      )}
      <iframe
        ref={frame}
        src={address}
        title={t('card.frame')}
        sandbox="allow-scripts allow-same-origin allow-forms allow-popups"
        data-ready={ready}
        data-question={height >= QUESTION_FROM_PX}
        style={{ '--height': `${height}px`, colorScheme: theme } as CSSProperties}
        className={styles.card}
      />
    </div>
  );
}
