import { describe, expect, it } from 'vitest';
import { opened } from '../../../mock/countries.ts';
import { cityNameIn, findCity } from './cityName.ts';
import { countryNameIn } from './countryName.ts';

describe('the name of a country', () => {
  it.each([
    ['en-mx', 'Mexico', '墨西哥'],
    ['zh-cn', 'China', '中国'],
  ])('of %s comes from the server', (code, en, zh) => {
    expect([countryNameIn(opened(), code, 'en'), countryNameIn(opened(), code, 'zh')]).toEqual([en, zh]);
  });

  it('comes from the browser until the countries are loaded, and is absent for an unknown code', () => {
    expect(countryNameIn(undefined, 'en-ca', 'zh')).toBe('加拿大');
    expect(countryNameIn(opened(), 'en-no', 'en')).toBe('Norway');
    expect(countryNameIn(opened(), 'en-xx', 'en')).toBeNull();
  });
});

describe('a city', () => {
  const city = (nameZh: string, zone: string) => ({ id: 1, nameEn: 'Springfield', nameZh, zone });
  const known = {
    countries: [
      { code: 'en-aa', facilities: [city('甲', 'Europe/Dublin')] },
      { code: 'en-bb', facilities: [city('乙', 'America/Lima')] },
    ],
  };

  it('is looked up in its own country first, then in all', () => {
    expect(cityNameIn(known, 'Springfield', 'zh', 'en-bb')).toBe('乙');
    expect(findCity(known, 'Springfield', 'en-bb')?.zone).toBe('America/Lima');
    expect(cityNameIn(known, 'Springfield', 'zh', 'en-cc')).toBe('甲');
  });

  it('keeps its English name if it is unknown', () => {
    expect(cityNameIn(known, 'Atlantis', 'zh', 'en-aa')).toBe('Atlantis');
    expect(cityNameIn(undefined, 'Springfield', 'zh')).toBe('Springfield');
    expect(cityNameIn(known, null, 'zh')).toBe('');
  });
});
