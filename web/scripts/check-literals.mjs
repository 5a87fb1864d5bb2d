// Checks that JSX contains no literal texts, also in visible or accessible attributes. All texts
// must be in the locale files.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const SPOKEN = new Set(['aria-label', 'placeholder', 'title', 'alt', 'label', 'hint', 'aria-description']);
const WORDS = /[A-Za-z]{2,}|\p{Script=Han}/u;

function walk(folder) {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? walk(path) : [path];
  });
}

const found = [];

function check(path) {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const report = (node, text) => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart());
    found.push(`${path}:${line + 1}: "${text.trim()}" belongs into the locale files`);
  };
  const literal = (node) => (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) ? node.text : null);
  const visit = (node) => {
    if (ts.isJsxText(node) && WORDS.test(node.text)) report(node, node.text);
    if (ts.isJsxExpression(node) && node.expression && (ts.isJsxElement(node.parent) || ts.isJsxFragment(node.parent))) {
      const text = literal(node.expression);
      if (text !== null && WORDS.test(text)) report(node, text);
    }
    if (ts.isJsxAttribute(node) && SPOKEN.has(node.name.getText()) && node.initializer) {
      const value = ts.isJsxExpression(node.initializer) ? node.initializer.expression : node.initializer;
      const text = value ? literal(value) : null;
      if (text !== null && WORDS.test(text)) report(node, text);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
}

for (const path of walk('src')) if (path.endsWith('.tsx') && !path.includes('.test.')) check(path);
for (const line of found) console.error(line);
process.exit(found.length > 0 ? 1 : 0);
