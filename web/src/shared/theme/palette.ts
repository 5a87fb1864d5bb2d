/**
 * Colours of a scheme that documents need before tokens.css loads. A test compares them with
 * tokens.css.
 */
export interface Palette {
  ground: string;
  paper: string;
  text: string;
  quiet: string;
  faintText: string;
  line: string;
  main: string;
  on: string;
  soft: string;
  faint: string;
}

export const lightPalette: Palette = {
  ground: '#f4f1ec',
  paper: '#ffffff',
  text: '#111827',
  quiet: '#4b5563',
  faintText: '#5f6570',
  line: '#e7e3dc',
  main: '#017c6e',
  on: '#ffffff',
  soft: '#c3e0da',
  faint: '#f3f0ea',
};

export const darkPalette: Palette = {
  ground: '#141513',
  paper: '#1c1e1b',
  text: '#f2efe9',
  quiet: '#bdb9b0',
  faintText: '#a09c93',
  line: '#30332e',
  main: '#4fc7b5',
  on: '#04221e',
  soft: '#22544c',
  faint: '#262925',
};

/** Returns the colours of a scheme as CSS variables. */
export const schemeColours = (palette: Palette): string =>
  Object.entries(palette)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';');
