import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { useScheme } from '../../shared/legacy/theme/scheme.ts';
import { paths } from '../../shared/routing/paths.ts';
import { type FrameEvent, type FrameOrder, frameOrder, readFrameEvent } from './cardFrame.ts';

const FIRST_HEIGHT_PX = 96;

interface Props {
  ready: boolean;
  onEvent: (event: FrameEvent) => void;
  /** Given the way to tell the page something. */
  onPost: (post: ((order: FrameOrder) => void) | null) => void;
}

/** The card entry: a document of its own on our own host, heard only when it is really that one. */
export function CardFrame({ ready, onEvent, onPost }: Props) {
  const { t } = useTranslation();
  const language = useLanguage();
  const theme = useScheme();
  // The words and colours of the first moment: changing them later would empty the card's fields.
  const [address] = useState(() => paths.pay(language, theme));
  const [height, setHeight] = useState(FIRST_HEIGHT_PX);
  const frame = useRef<HTMLIFrameElement>(null);
  const hear = useEffectEvent((message: MessageEvent) => {
    if (message.origin !== window.location.origin || message.source !== frame.current?.contentWindow) return;
    const event = readFrameEvent(message.data);
    if (event?.type === 'resize') setHeight(event.height);
    if (event) onEvent(event);
  });
  const offer = useEffectEvent(onPost);
  useEffect(() => {
    const listen = (message: MessageEvent) => hear(message);
    window.addEventListener('message', listen);
    offer((order) => frame.current?.contentWindow?.postMessage(frameOrder(order), window.location.origin));
    return () => {
      window.removeEventListener('message', listen);
      offer(null);
    };
  }, []);
  return (
    <Box sx={{ position: 'relative', minHeight: ready ? 0 : FIRST_HEIGHT_PX }}>
      {!ready && (
        <Skeleton
          variant="rounded"
          sx={{ position: 'absolute', inset: 0, height: FIRST_HEIGHT_PX }}
          role="status"
          aria-label={t('card.loading')}
        />
      )}
      <Box
        component="iframe"
        ref={frame}
        src={address}
        title={t('card.frame')}
        sandbox="allow-scripts allow-same-origin allow-forms allow-popups"
        style={{ height }}
        sx={{ display: 'block', width: '100%', border: 0, colorScheme: theme, visibility: ready ? 'visible' : 'hidden' }}
      />
    </Box>
  );
}
