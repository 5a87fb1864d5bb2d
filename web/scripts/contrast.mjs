// Writes docs/contrast.md: the ratio of every pair of colours in both schemes, from the palette itself.
import { writeFileSync } from 'node:fs';
import { contrastTable } from '../src/shared/legacy/theme/contrastTable.ts';

writeFileSync(new URL('../../docs/contrast.md', import.meta.url), contrastTable());
