import styles from './Mark.module.css';

/** Renders the logo: a sunrise on the horizon (早). */
export function Mark({ size = 32 }: { size?: number }) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden="true" className={styles.root}>
      <rect width="32" height="32" rx="9.5" fill="#017c6e" />
      <path d="M16 6.2v3.3M8.2 9.8l2.2 2.2M23.8 9.8L21.6 12" stroke="#fff" strokeWidth="2.2" strokeLinecap="round" />
      <path d="M10.3 20.5a5.7 5.7 0 0 1 11.4 0Z" fill="#FFB547" />
      <path d="M6 20.5h20" stroke="#fff" strokeWidth="2.2" strokeLinecap="round" />
      <path d="M11.5 25.2h9" stroke="#fff" strokeOpacity=".62" strokeWidth="2.2" strokeLinecap="round" />
    </svg>
  );
}
