import type { lightPalette } from '../legacy/theme/palette.ts';

/** A scheme's colours as variables for documents that are shown before the theme is there, under short names of its roles. */
export function schemeColours({ background, text, primary, divider, heat }: typeof lightPalette): string {
  const roles = {
    ground: background?.default,
    paper: background?.paper,
    text: text?.primary,
    quiet: text?.secondary,
    faintText: text?.tertiary,
    line: divider,
    main: primary && 'main' in primary ? primary.main : undefined,
    on: primary && 'contrastText' in primary ? primary.contrastText : undefined,
    soft: primary && 'soft2' in primary ? primary.soft2 : undefined,
    faint: heat?.[0],
  };
  return Object.entries(roles)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';');
}
