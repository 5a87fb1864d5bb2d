/** The logo mark: a sunrise on the horizon (早). */
export function Mark({ size = 32 }: { size?: number }) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden focusable="false" style={{ flex: 'none', display: 'block' }}>
      <rect width="32" height="32" rx="9.5" fill="#017c6e" />
      <path
        d="M16 6.200v3.300M8.200 9.800l2.200 2.200M23.800 9.800L21.600 12"
        stroke="#fff"
        strokeWidth="2.200"
        strokeLinecap="round"
      />
      <path d="M10.300 20.500a5.700 5.700 0 0 1 11.400 0Z" fill="#FFB547" />
      <path d="M6 20.500h20" stroke="#fff" strokeWidth="2.200" strokeLinecap="round" />
      <path d="M11.500 25.200h9" stroke="#fff" strokeOpacity=".62" strokeWidth="2.200" strokeLinecap="round" />
    </svg>
  );
}
