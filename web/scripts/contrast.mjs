// Writes docs/contrast.md: the ratio of every pair of colours in both schemes, computed from the
// tokens.
import { writeFileSync } from 'node:fs';
import { contrastTable } from '../src/shared/theme/contrastTable.ts';

writeFileSync(new URL('../../docs/contrast.md', import.meta.url), contrastTable());
