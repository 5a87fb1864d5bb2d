// The icons of the header, which the open pages have without all the others.

export const menu = <path d="M4.5 7h15M4.5 12h15M4.5 17h15" />;

export const moon = <path d="M20 14.2A8.3 8.3 0 0 1 9.8 4 8.3 8.3 0 1 0 20 14.2Z" />;

export const sun = (
  <>
    <circle cx="12" cy="12" r="4" />
    <path d="M12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6L7 7M17 17l1.4 1.4M18.4 5.6L17 7M7 17l-1.4 1.4" />
  </>
);
