import { keyframes, styled } from '@mui/material/styles';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

const shimmer = keyframes`50%{opacity:.45}`;

const Item = styled('li')(({ theme: { vars, shadows, breakpoints, transitions } }) => {
  const { palette } = vars;
  return {
    '& button': {
      position: 'relative',
      display: 'block',
      width: '100%',
      aspectRatio: '4/3',
      padding: '6%',
      borderRadius: 12,
      overflow: 'hidden',
      border: `1px solid ${palette.divider}`,
      background: palette.background.sunken,
      cursor: 'zoom-in',
      transition: `border-color ${transitions.duration.shortest}ms`,
      [breakpoints.up('sm')]: { borderRadius: 16 },
    },
    '& button:hover': { borderColor: palette.control },
    '& button.soft': { background: palette.primary.soft },
    '& button.deep': { background: palette.deep.main },
    '& button.whole': { padding: 0 },
    // Where the picture comes to lie, there is its shadow already.
    '& .shot': {
      position: 'relative',
      display: 'block',
      height: '100%',
      borderRadius: 8,
      overflow: 'hidden',
      boxShadow: shadows[2],
    },
    '& .whole .shot': { borderRadius: 0 },
    '& .bone': {
      position: 'absolute',
      inset: 0,
      background: palette.background.paper,
      animation: `${shimmer} 1.6s ease-in-out 8`,
    },
    '& img': {
      position: 'relative',
      display: 'block',
      width: '100%',
      height: '100%',
      objectFit: 'cover',
      objectPosition: '0 0',
      transition: `transform ${transitions.duration.complex}ms`,
    },
    '& button:hover img': { transform: 'scale(1.03)' },
    '& h3': { marginTop: 8, fontSize: 15, fontWeight: 600, lineHeight: 1.5, [breakpoints.up('sm')]: { marginTop: 12 } },
    '& p': { fontSize: 13, lineHeight: 1.55, color: palette.text.secondary },
  };
});

interface Props {
  src: string;
  label: string;
  text?: string;
  /** What a picture of a part lies on; `whole` fills the tile. */
  ground: 'plain' | 'soft' | 'deep' | 'whole';
  onOpen: () => void;
}

/** One picture of the gallery, asked for when it is near; a skeleton stands in its place until it is there. */
export function Tile({ src, label, text, ground, onOpen }: Props) {
  const { t } = useTranslation();
  const picture = useRef<HTMLImageElement>(null);
  const [ready, setReady] = useState(false);
  // It may have come before this was alive; in the document it simply lies over its skeleton.
  useEffect(() => {
    if (picture.current?.complete && picture.current.naturalWidth > 0) setReady(true);
  }, []);
  return (
    <Item>
      <button type="button" className={ground} onClick={onOpen} aria-label={t('gallery.open', { label })}>
        <span className="shot">
          {!ready && <span className="bone" />}
          <img ref={picture} src={src} alt="" loading="lazy" decoding="async" onLoad={() => setReady(true)} />
        </span>
      </button>
      <h3>{label}</h3>
      {text && <p>{text}</p>}
    </Item>
  );
}
