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
 * Height in px from which the frame shows a page of the bank, which needs more width. The card
 * fields are never that high.
 */
const QUESTION_FROM_PX = 400;

interface Props {
  /** Address of the card page on another origin, or null if it is on the app's origin. */
  page: string | null;
  ready: boolean;
  onEvent: (event: FrameEvent) => void;
  /**
   * Called with a function that sends a message to the card page, or with null when the frame
   * closes.
   */
  onPost: (post: ((order: FrameOrder) => void) | null) => void;
}

/**
 * Renders the frame with the card fields, which are a separate document. Messages are accepted only
 * from the origin of that document.
 */
export function CardFrame({ page, ready, onEvent, onPost }: Props) {
  const { t } = useTranslation();
  const language = useLanguage();
  const theme = useScheme();
  // Stores the language and the colours of the first render. A later change would reload the frame
  // and clear its fields.
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
