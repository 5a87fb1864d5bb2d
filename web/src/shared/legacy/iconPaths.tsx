import type { ReactNode } from 'react';
import { menu, moon, sun } from './headIcons.tsx';

const dot = (cx: number, cy: number) => <circle cx={cx} cy={cy} r=".6" fill="currentColor" />;

/** Every picture of the icon set, drawn with round 1.75 strokes on a 24 grid. */
export const iconPaths = {
  activity: <path d="M3 12h4l2.5-7 5 14 2.5-7h4" />,
  alert: (
    <>
      <path d="M12 4l9 15.5H3L12 4Z" />
      <path d="M12 10v4.2" />
      {dot(12, 16.8)}
    </>
  ),
  arrowLeft: <path d="M19.5 12h-15M10.5 6l-6 6 6 6" />,
  arrowRight: <path d="M4.5 12h15M13.5 6l6 6-6 6" />,
  bell: (
    <>
      <path d="M18 15.5V11a6 6 0 1 0-12 0v4.5L4.5 18h15L18 15.5Z" />
      <path d="M10 21h4" />
    </>
  ),
  bulb: (
    <>
      <path d="M9 17.5h6M10 20.5h4" />
      <path d="M12 3.5a6 6 0 0 0-3.8 10.7c.6.5.8 1 .8 1.8v1.5h6V16c0-.8.3-1.3.8-1.8A6 6 0 0 0 12 3.5Z" />
    </>
  ),
  calendar: (
    <>
      <rect x="3.5" y="5" width="17" height="15.500" rx="3" />
      <path d="M3.5 10h17M8 3v4M16 3v4" />
    </>
  ),
  calendarCheck: (
    <>
      <rect x="3.5" y="5" width="17" height="15.500" rx="3" />
      <path d="M3.5 10h17M8 3v4M16 3v4M9 15l2.2 2.2L15 13.2" />
    </>
  ),
  calendarX: (
    <>
      <rect x="3.5" y="5" width="17" height="15.500" rx="3" />
      <path d="M3.5 10h17M8 3v4M16 3v4M10 13.2l4 4M14 13.2l-4 4" />
    </>
  ),
  chat: (
    <>
      <path d="M20.5 11.5c0 4-3.8 7-8.5 7-1 0-2-.1-2.9-.4L4.5 20l1.3-3.6c-1.5-1.3-2.3-3-2.3-4.9 0-4 3.8-7 8.5-7s8.5 3 8.5 7Z" />
      <path d="M8.5 11.5h.01M12 11.5h.01M15.5 11.5h.01" strokeWidth="2.2" />
    </>
  ),
  check: <path d="M5 12.5l4.5 4.5L19 7.5" />,
  checkCircle: (
    <>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M8.5 12.2l2.4 2.4 4.6-4.8" />
    </>
  ),
  chevronDown: <path d="M6.5 9.5L12 15l5.5-5.5" />,
  chevronLeft: <path d="M14.5 6.5L9 12l5.5 5.5" />,
  chevronRight: <path d="M9.5 6.5L15 12l-5.5 5.5" />,
  clock: (
    <>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M12 7.5V12l3 2" />
    </>
  ),
  crossCircle: (
    <>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M9.2 9.2l5.6 5.6M14.8 9.2l-5.6 5.6" />
    </>
  ),
  computer: (
    <>
      <rect x="4.5" y="5" width="15" height="10.500" rx="2" />
      <path d="M2.5 19h19" />
    </>
  ),
  copy: (
    <>
      <rect x="8.5" y="8.5" width="11.500" height="11.500" rx="2.5" />
      <path d="M15.5 8.5v-2A2.5 2.5 0 0 0 13 4H6.5A2.5 2.5 0 0 0 4 6.5V13a2.5 2.5 0 0 0 2.5 2.5h2" />
    </>
  ),
  download: <path d="M12 4v11M7.5 11l4.5 4.5 4.5-4.5M4.5 20h15" />,
  edit: (
    <>
      <path d="M4 20h4L19 9a2.12 2.12 0 0 0 0-3l-1-1a2.12 2.12 0 0 0-3 0L4 16v4Z" />
      <path d="M13.5 6.5l4 4" />
    </>
  ),
  eye: (
    <>
      <path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12Z" />
      <circle cx="12" cy="12" r="3" />
    </>
  ),
  eyeOff: (
    <>
      <path d="M4 4l16 16M9.9 5.8A9.6 9.6 0 0 1 12 5.5c6 0 9.5 6.5 9.5 6.5a17 17 0 0 1-2.9 3.6" />
      <path d="M6.3 7.5A16.6 16.6 0 0 0 2.5 12S6 18.5 12 18.5a9.7 9.7 0 0 0 4.3-1M9.9 9.9a3 3 0 0 0 4.2 4.2" />
    </>
  ),
  expand: <path d="M14 4.5h5.5V10M10 19.5H4.5V14M19.5 4.5l-6 6M4.5 19.5l6-6" />,
  gauge: (
    <>
      <path d="M4 16.5a8.5 8.5 0 1 1 16 0" />
      <path d="M12 14l3.5-4.5" />
    </>
  ),
  globe: (
    <>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M3.5 12h17" />
      <path d="M12 3.5c2.4 2.4 3.5 5.3 3.5 8.5s-1.1 6.1-3.5 8.5c-2.4-2.4-3.5-5.3-3.5-8.5s1.1-6.1 3.5-8.5z" />
    </>
  ),
  grid: (
    <>
      <rect x="4" y="4" width="6.500" height="6.500" rx="1.8" />
      <rect x="13.5" y="4" width="6.500" height="6.500" rx="1.8" />
      <rect x="4" y="13.5" width="6.500" height="6.500" rx="1.8" />
      <rect x="13.5" y="13.5" width="6.500" height="6.500" rx="1.8" />
    </>
  ),
  help: (
    <>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M9.6 9.6a2.5 2.5 0 1 1 3.7 2.2c-.8.5-1.3 1-1.3 1.9" />
      {dot(12, 16.5)}
    </>
  ),
  history: (
    <>
      <path d="M4 12a8 8 0 1 0 2.5-5.8L4 8.5" />
      <path d="M4 4v4.5h4.5M12 8v4.2l2.8 1.8" />
    </>
  ),
  info: (
    <>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M12 11v5" />
      {dot(12, 8.2)}
    </>
  ),
  key: (
    <>
      <circle cx="8" cy="15.5" r="4" />
      <path d="M11 12.5L19.5 4M16 7.5l2.5 2.5M13.5 10l1.5 1.5" />
    </>
  ),
  list: (
    <>
      <path d="M9 6.5h11M9 12h11M9 17.5h11" />
      <path d="M4.5 6.5h.01M4.5 12h.01M4.5 17.5h.01" strokeWidth="2.4" />
    </>
  ),
  lock: (
    <>
      <rect x="5" y="10.5" width="14" height="10" rx="2.5" />
      <path d="M8 10.5V8a4 4 0 0 1 8 0v2.5M12 14.5v2" />
    </>
  ),
  login: <path d="M14 4.5h3A2.5 2.5 0 0 1 19.5 7v10a2.5 2.5 0 0 1-2.5 2.5h-3M11 8l4 4-4 4M15 12H4.5" />,
  logout: <path d="M14 4.5H7A2.5 2.5 0 0 0 4.5 7v10A2.5 2.5 0 0 0 7 19.5h7M10 12h10M16.5 8l4 4-4 4" />,
  mail: (
    <>
      <rect x="3" y="5.5" width="18" height="13.500" rx="3" />
      <path d="M3.8 7.5l8.2 6 8.2-6" />
    </>
  ),
  menu,
  minusCircle: (
    <>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M8.5 12h7" />
    </>
  ),
  moon,
  muted: <path d="M4 9.5v5h3.5L12 18.5v-13l-4.5 4H4ZM16 9.5l5 5M21 9.5l-5 5" />,
  note: (
    <>
      <rect x="5" y="4" width="14" height="16" rx="1.8" />
      <path d="M8.5 9h7M8.5 12.5h7M8.5 16h4" />
    </>
  ),
  pause: <path d="M9 6v12M15 6v12" />,
  phone: (
    <>
      <rect x="7" y="3" width="10" height="18" rx="2.5" />
      <path d="M11 17.8h2" />
    </>
  ),
  play: <path d="M8 5.5v13l10.5-6.5L8 5.5Z" />,
  plus: <path d="M12 5v14M5 12h14" />,
  printer: (
    <>
      <path d="M7.5 8.5V4h9v4.5M7.5 16.5H5.5A1.5 1.5 0 0 1 4 15v-5a1.5 1.5 0 0 1 1.5-1.5h13A1.5 1.5 0 0 1 20 10v5a1.5 1.5 0 0 1-1.5 1.5h-2" />
      <path d="M7.5 13.5h9V20h-9z" />
    </>
  ),
  qr: (
    <>
      <rect x="4" y="4" width="6" height="6" rx="1" />
      <rect x="14" y="4" width="6" height="6" rx="1" />
      <rect x="4" y="14" width="6" height="6" rx="1" />
      <path d="M14 14h2.5v2.5M20 14v2M14 20h2M18.5 18v2H20" />
    </>
  ),
  refresh: (
    <>
      <path d="M20 11a8 8 0 0 0-14.3-4L4 9M4 4.5V9h4.5" />
      <path d="M4 13a8 8 0 0 0 14.3 4L20 15M20 19.5V15h-4.5" />
    </>
  ),
  settings: (
    <>
      <path d="M4 7.5h9M17 7.5h3M4 16.5h3M11 16.5h9" />
      <circle cx="15" cy="7.5" r="2" />
      <circle cx="9" cy="16.5" r="2" />
    </>
  ),
  shield: (
    <>
      <path d="M12 3l7.5 2.8v5.4c0 4.6-3.1 8-7.5 9.8-4.4-1.8-7.5-5.2-7.5-9.8V5.8L12 3Z" />
      <path d="M8.8 12l2.3 2.3 4.3-4.3" />
    </>
  ),
  sun,
  swap: <path d="M4 8h14M14.5 4.5L18 8l-3.5 3.5M20 16H6M9.5 12.5L6 16l3.5 3.5" />,
  tablet: (
    <>
      <rect x="5" y="3.5" width="14" height="17" rx="2.5" />
      <path d="M10.8 17.3h2.4" />
    </>
  ),
  ticket: (
    <>
      <path d="M4 8a2 2 0 0 1 2-2h12a2 2 0 0 1 2 2v2a2 2 0 0 0 0 4v2a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2v-2a2 2 0 0 0 0-4V8Z" />
      <path d="M14 6.5v2M14 11v2M14 15.5v2" />
    </>
  ),
  trash: <path d="M4.5 7h15M9.5 7V4.5h5V7M6.5 7l1 12.5h9l1-12.5M10.5 11v5M13.5 11v5" />,
  user: (
    <>
      <circle cx="12" cy="8.5" r="3.8" />
      <path d="M4.8 19.5c1-3.6 3.8-5.2 7.2-5.2s6.2 1.6 7.2 5.2" />
    </>
  ),
  users: (
    <>
      <circle cx="9" cy="9" r="3.3" />
      <path d="M3 19c.8-3.2 3.2-4.6 6-4.6s5.2 1.4 6 4.6M15.5 5.9a3.3 3.3 0 0 1 0 6.2M17.5 14.7c1.8.6 3 2 3.5 4.3" />
    </>
  ),
  wallet: (
    <>
      <path d="M5.5 6h12A2.5 2.5 0 0 1 20 8.5v9a2.5 2.5 0 0 1-2.5 2.5h-11A2.5 2.5 0 0 1 4 17.5v-11A2.5 2.5 0 0 1 6.5 4H17" />
      <path d="M20 11h-4a2 2 0 0 0 0 4h4" />
    </>
  ),
  x: <path d="M6.5 6.5l11 11M17.5 6.5l-11 11" />,
} satisfies Record<string, ReactNode>;

/** Names of the icon set. */
export type IconName = keyof typeof iconPaths;
