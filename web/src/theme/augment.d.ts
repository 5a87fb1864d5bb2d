import '@mui/material/styles';

declare module '@mui/material/styles' {
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
    heat: { 0: string; 1: string; 2: string; 3: string; 4: string };
  }
  interface PaletteOptions {
    tertiary?: SimplePaletteColorOptions;
    neutral?: SimplePaletteColorOptions;
    side?: SimplePaletteColorOptions;
    deep?: SimplePaletteColorOptions;
    control?: string;
    scrim?: string;
    ring?: string;
    heat?: { 0: string; 1: string; 2: string; 3: string; 4: string };
  }
  interface TypographyVariants {
    lead: React.CSSProperties;
    figureXl: React.CSSProperties;
    figureLg: React.CSSProperties;
    figureMd: React.CSSProperties;
    label: React.CSSProperties;
    micro: React.CSSProperties;
  }
  interface TypographyVariantsOptions {
    lead?: React.CSSProperties;
    figureXl?: React.CSSProperties;
    figureLg?: React.CSSProperties;
    figureMd?: React.CSSProperties;
    label?: React.CSSProperties;
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
