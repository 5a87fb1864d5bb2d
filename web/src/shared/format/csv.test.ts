import { expect, it } from 'vitest';
import { csv } from './csv.ts';

// spec: 10.9.08
it('writes values that spreadsheets read correctly, and no formulas', () => {
  const text = csv([
    ['时间', '说明'],
    ['2026-11-24 21:40', 'a, "b"\nc'],
    ['=1+1', '@x'],
  ]);
  expect(text).toBe('\uFEFF时间,说明\r\n2026-11-24 21:40,"a, ""b""\nc"\r\n\'=1+1,\'@x\r\n');
});
