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

  it.each(['', 'ca', 'en-', 'en-canada', 'en-c1', 'Canada'])('is absent for the malformed code "%s"', (code) => {
    expect(countryNameIn(undefined, code, 'zh')).toBeNull();
  });
});

describe('a city', () => {
  it('has the names and the zone of the server, in whichever country it is', () => {
    expect(cityNameIn(opened(), 'Ottawa', 'zh')).toBe('渥太华');
    expect(cityNameIn(opened(), 'Lima', 'zh')).toBe('利马');
    expect(cityNameIn(opened(), 'Lima', 'en')).toBe('Lima');
    expect(findCity(opened(), 'Dublin')?.zone).toBe('Europe/Dublin');
  });

  it('keeps its English name if it is unknown', () => {
    expect(cityNameIn(opened(), 'Atlantis', 'zh')).toBe('Atlantis');
    expect(cityNameIn(undefined, 'Ottawa', 'zh')).toBe('Ottawa');
    expect(cityNameIn(opened(), null, 'zh')).toBe('');
  });
});
