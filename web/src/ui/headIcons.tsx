// The icons of the header, which the open pages have without all the others.

export const menu = <path d="M4.500 7h15M4.500 12h15M4.500 17h15" />;

export const moon = <path d="M20 14.200A8.300 8.300 0 0 1 9.800 4 8.300 8.300 0 1 0 20 14.200Z" />;

export const sun = (
  <>
    <circle cx="12" cy="12" r="4" />
    <path d="M12 3v2M12 19v2M3 12h2M19 12h2M5.600 5.600L7 7M17 17l1.400 1.400M18.400 5.600L17 7M7 17l-1.400 1.400" />
  </>
);
