import '@mui/material/styles';

declare module '@mui/material/styles' {
  /** Grounds by how often a date was seen, and what is written on the two that text.primary does not suit. */
  interface HeatColors {
    0: string;
    1: string;
    2: string;
    3: string;
    4: string;
    on3: string;
    on4: string;
  }
  /** Lines of a chart, and the names at their ends. */
  interface SeriesColors {
    1: string;
    2: string;
    3: string;
  }
  interface TypeText {
    tertiary: string;
  }
  interface TypeBackground {
    quiet: string;
    sunken: string;
    track: string;
    inverse: string;
  }
  interface PaletteColor {
    soft: string;
    soft2: string;
    ink: string;
  }
  interface SimplePaletteColorOptions {
    soft?: string;
    soft2?: string;
    ink?: string;
  }
  interface Palette {
    tertiary: PaletteColor;
    neutral: PaletteColor;
    side: PaletteColor;
    deep: PaletteColor;
    control: string;
    scrim: string;
    ring: string;
    heat: HeatColors;
    series: SeriesColors;
  }
  interface PaletteOptions {
    tertiary?: SimplePaletteColorOptions;
    neutral?: SimplePaletteColorOptions;
    side?: SimplePaletteColorOptions;
    deep?: SimplePaletteColorOptions;
    control?: string;
    scrim?: string;
    ring?: string;
    heat?: HeatColors;
    series?: SeriesColors;
  }
  interface TypographyVariants {
    lead: React.CSSProperties;
    figureXl: React.CSSProperties;
    figureLg: React.CSSProperties;
    figureMd: React.CSSProperties;
    label: React.CSSProperties;
    control: React.CSSProperties;
    micro: React.CSSProperties;
  }
  interface TypographyVariantsOptions {
    lead?: React.CSSProperties;
    figureXl?: React.CSSProperties;
    figureLg?: React.CSSProperties;
    figureMd?: React.CSSProperties;
    label?: React.CSSProperties;
    control?: React.CSSProperties;
    micro?: React.CSSProperties;
  }
  interface CssThemeVariables {
    enabled: true;
  }
}

declare module '@mui/material/Typography' {
  interface TypographyPropsVariantOverrides {
    lead: true;
    figureXl: true;
    figureLg: true;
    figureMd: true;
    label: true;
    control: true;
    micro: true;
  }
}

declare module '@mui/material/Button' {
  interface ButtonPropsVariantOverrides {
    soft: true;
    ghost: true;
    onDeep: true;
  }
}
