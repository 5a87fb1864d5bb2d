import type { ReactNode } from 'react';
import styles from './Illustration.module.css';

const ground = <path className={styles.ground} d="M6 118h178" />;
const calendar = (
  <>
    <rect x="38" y="18" width="114" height="100" rx="14" />
    <path d="M38 46h114M68 8v18M122 8v18" />
  </>
);
const sunrise = (
  <>
    <path className={styles.sun} d="M73 96a22 22 0 0 1 44 0Z" />
    <path className={styles.ray} d="M95 62v7M69 73l5 5M121 73l-5 5" />
    <path d="M54 96h82" />
  </>
);

const pictures = {
  /** For an empty list of tasks or dates: a calendar before sunrise. */
  calendar: (
    <>
      {ground}
      {calendar}
      {sunrise}
    </>
  ),
  /** For an empty list of entries: a sheet with lines that end at the horizon. */
  sheet: (
    <>
      {ground}
      <path d="M56 118V22a10 10 0 0 1 10-10h46l22 22v84M112 12v22h22" />
      <path className={styles.quiet} d="M72 34h24M72 50h46" />
      <path className={styles.sun} d="M79 98a16 16 0 0 1 32 0Z" />
      <path className={styles.ray} d="M95 68v6M77 75l4 4M113 75l-4 4" />
      <path d="M68 98h54" />
    </>
  ),
  /** For a completed action: a calendar with a marked date. */
  done: (
    <>
      {ground}
      {calendar}
      {sunrise}
      <circle className={styles.full} cx="148" cy="98" r="21" />
      <path className={styles.onFull} d="M139 98.500l6.500 6.500 12-13" />
    </>
  ),
  /** For a sent mail: a letter before the rising sun. */
  mail: (
    <>
      {ground}
      <path className={styles.sun} d="M70 44a25 25 0 0 1 50 0Z" />
      <path className={styles.ray} d="M95 5v7M66 16l5 5M124 16l-5 5" />
      <rect x="43" y="44" width="104" height="74" rx="12" />
      <path d="M46 52l42 30a12 12 0 0 0 14 0l42-30" />
    </>
  ),
  /** For a missing page: a row of calendar dates with a gap. */
  lost: (
    <>
      {ground}
      {calendar}
      <path className={styles.quiet} d="M62 64h8M91 64h8M120 64h8M62 96h8M120 96h8" />
      <path d="M84 86h22v22H84Z" strokeDasharray="1 6" />
      <path className={styles.sun} d="M162 118a14 14 0 0 1 28 0Z" />
    </>
  ),
} satisfies Record<string, ReactNode>;

/**
 * Renders an illustration in the style of the logo. It is decoration, so a text beside it must
 * carry the meaning.
 */
export function Illustration({ name, width = 190 }: { name: keyof typeof pictures; width?: number }) {
  return (
    <svg
      viewBox="0 0 190 128"
      width={width}
      height={Math.round((width * 128) / 190)}
      aria-hidden="true"
      focusable="false"
      className={styles.root}
    >
      {pictures[name]}
    </svg>
  );
}
