// Writes src/shared/api/bounds.ts with the bounds of the API's fields, from the OpenAPI document.
// openapi-typescript omits them.
import { readFileSync, writeFileSync } from 'node:fs';

const WORDS = ['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'default'];

/** Converts the name of an extension field: `x-low-water` becomes `lowWater`. */
const own = (name) => name.slice(2).replace(/-(.)/g, (_, letter) => letter.toUpperCase());

function boundsOf(field) {
  const standard = WORDS.filter((word) => field[word] !== undefined).map((word) => [word, field[word]]);
  const ours = Object.keys(field).filter((name) => name.startsWith('x-'));
  return Object.fromEntries([...standard, ...ours.map((name) => [own(name), field[name]])]);
}

/** Returns whether bounds contain more than a minimum of 0. */
const tells = (bounds) => Object.keys(bounds).some((word) => word !== 'minimum' || bounds[word] !== 0);

function fieldsOf(schema) {
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => [name, boundsOf(field)]);
  return Object.fromEntries(fields.filter(([, bounds]) => tells(bounds)));
}

const { components } = JSON.parse(readFileSync('openapi.json', 'utf8'));
const schemas = Object.entries(components.schemas).map(([name, schema]) => [name, fieldsOf(schema)]);
const found = Object.fromEntries(schemas.filter(([, fields]) => Object.keys(fields).length > 0));

const literal = (value, indent = '') => {
  if (typeof value !== 'object') return String(value);
  const inner = Object.entries(value).map(([key, one]) => `${indent}  ${key}: ${literal(one, `${indent}  `)},\n`);
  return `{\n${inner.join('')}${indent}}`;
};

const head = '/** Bounds of fields, generated from the OpenAPI document by scripts/bounds.mjs. Do not edit. */\n';
// One constant per schema, so that a page loads only those that it uses.
const constants = Object.entries(found).map(([name, fields]) => `export const ${name} = ${literal(fields)} as const;\n`);
writeFileSync('src/shared/api/bounds.ts', head + constants.join(''));
