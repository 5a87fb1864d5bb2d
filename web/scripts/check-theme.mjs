// Checks that styles use the theme: no other colours, font sizes, radii or font weights.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { tokensOf } from '../src/shared/theme/tokens.ts';

/** Logos, which have their own colours. */
const MARKS = new Set(['src/shared/ui/Mark.tsx', 'src/parts/account/GoogleMark.tsx']);
const COLOUR = /#(?:[\da-f]{8}|[\da-f]{6}|[\da-f]{3,4})\b|\b(?:rgb|hsl|oklch)a?\(/i;

/** All font sizes of the design tokens. */
const sizes = new Set(
  Object.entries(tokensOf('light')).flatMap(([name, value]) =>
    name.startsWith('t-') ? [Number(/(\d+)px/.exec(value)?.[1])] : [],
  ),
);
const weights = new Set([400, 500, 600, 700]);
/**
 * Permitted radii in px: ticks and bars 1 to 4, cells 6, tiles 8, inputs 12, elements within a
 * card's border 15, cards 16, buttons 24, chips fully round. `1` is shape.borderRadius.
 */
const radii = new Set([0, 1, 2, 3, 4, 6, 8, 12, 15, 16, 24, 999]);

const rules = {
  fontSize: (value) => sizes.has(value) || `${value} px is not on the type scale (${[...sizes].sort((a, b) => a - b).join(' ')})`,
  fontWeight: (value) => weights.has(value) || `weight ${value} is none of ${[...weights].join(' ')}`,
  borderRadius: (value) => radii.has(value) || `${value} px is none of the radii (${[...radii].join(' ')})`,
};

function walk(folder) {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? walk(path) : [path];
  });
}

/**
 * Returns the lengths that an expression may have: numbers and px values, also in objects and
 * conditional expressions.
 */
function lengths(node) {
  if (ts.isNumericLiteral(node)) return [Number(node.text)];
  if (ts.isStringLiteral(node)) return [...node.text.matchAll(/(-?[\d.]+)px/g)].map((match) => Number(match[1]));
  if (ts.isConditionalExpression(node)) return [...lengths(node.whenTrue), ...lengths(node.whenFalse)];
  if (ts.isObjectLiteralExpression(node))
    return node.properties.flatMap((entry) => (ts.isPropertyAssignment(entry) ? lengths(entry.initializer) : []));
  return [];
}

const found = [];

function check(path) {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const report = (node, why) => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart());
    found.push(`${path}:${line + 1}: ${why}`);
  };
  const visit = (node) => {
    const text =
      ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node) ? node.text : '';
    if (COLOUR.test(text) && !MARKS.has(path)) report(node, `the colour in "${text}" belongs into shared/theme/tokens.css`);
    if (ts.isPropertyAssignment(node) && ts.isIdentifier(node.name) && Object.hasOwn(rules, node.name.text))
      for (const value of lengths(node.initializer)) {
        const verdict = rules[node.name.text](value);
        if (verdict !== true) report(node, verdict);
      }
    ts.forEachChild(node, visit);
  };
  visit(source);
}

/** Checks that style sheets take colours and fonts from the tokens of shared/theme. */
function checkStyles(path) {
  readFileSync(path, 'utf8')
    .replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' '))
    .split('\n')
    .forEach((line, index) => {
      const size = /font-size:\s*([\d.]+)px/.exec(line)?.[1];
      if (COLOUR.test(line)) found.push(`${path}:${index + 1}: the colour belongs into shared/theme/tokens.css`);
      if (/\bfont:(?!\s*(?:var\(--t-|inherit))/.test(line)) found.push(`${path}:${index + 1}: take one of the --t- tokens`);
      if (size !== undefined && !sizes.has(Number(size))) found.push(`${path}:${index + 1}: ${size} px is not on the type scale`);
    });
}

for (const path of walk('src')) if (path.endsWith('.module.css')) checkStyles(path);
for (const path of walk('src'))
  if (/\.tsx?$/.test(path) && !/\.test\.|schema\.ts$/.test(path) && path !== 'src/shared/theme/palette.ts') check(path);
for (const line of found) console.error(line);
process.exit(found.length > 0 ? 1 : 0);
