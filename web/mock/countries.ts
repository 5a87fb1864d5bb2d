import type { Schemas } from '../src/shared/api/types.ts';
import { type Handlers, ok } from './api.ts';

type Country = Schemas['CountryView'];
type State = Country['state'];

const city = (id: number, nameEn: string, nameZh: string, zone = 'America/Toronto') => ({
  id,
  nameEn,
  nameZh,
  zone,
  fingerprints: false,
});
/** Returns a city that also gives fingerprint appointments. */
const withFingerprints = (...of: Parameters<typeof city>) => ({ ...city(...of), fingerprints: true });
/** Returns a city of a country that the portal does not serve. It has no number. */
const elsewhere = (nameEn: string, nameZh: string) => ({ id: null, nameEn, nameZh, zone: null, fingerprints: false });
const country = (
  code: string,
  [nameEn, nameZh]: [string, string],
  state: State,
  facilities: Country['facilities'],
  officialSite: string | null = null,
): Country => ({
  code,
  nameEn,
  nameZh,
  available: state === 'open',
  state,
  officialSite,
  lifeLimit: code === 'en-pe' ? 2 : null,
  facilities,
});

const all = [
  country('en-ca', ['Canada', '加拿大'], 'open', [
    city(89, 'Calgary', '卡尔加里', 'America/Edmonton'),
    city(90, 'Halifax', '哈利法克斯', 'America/Halifax'),
    city(91, 'Montreal', '蒙特利尔'),
    city(92, 'Ottawa', '渥太华'),
    city(93, 'Quebec City', '魁北克城'),
    city(94, 'Toronto', '多伦多'),
    city(95, 'Vancouver', '温哥华', 'America/Vancouver'),
  ]),
  country('en-ie', ['Ireland', '爱尔兰'], 'known', [city(13, 'Dublin', '都柏林', 'Europe/Dublin')]),
  country('en-mx', ['Mexico', '墨西哥'], 'known', [
    withFingerprints(65, 'Ciudad Juarez', '华雷斯城', 'America/Ciudad_Juarez'),
    withFingerprints(66, 'Guadalajara', '瓜达拉哈拉', 'America/Mexico_City'),
    withFingerprints(70, 'Mexico City', '墨西哥城', 'America/Mexico_City'),
  ]),
  country('en-pe', ['Peru', '秘鲁'], 'not_bookable', [city(115, 'Lima', '利马', 'America/Lima')]),
  country('en-gb', ['United Kingdom', '英国'], 'known', [
    city(16, 'Belfast', '贝尔法斯特', 'Europe/London'),
    city(17, 'London', '伦敦', 'Europe/London'),
  ]),
  country(
    'zh-cn',
    ['China', '中国'],
    'other_system',
    [
      elsewhere('Beijing', '北京'),
      elsewhere('Shanghai', '上海'),
      elsewhere('Guangzhou', '广州'),
      elsewhere('Chengdu', '成都'),
      elsewhere('Shenyang', '沈阳'),
    ],
    'https://www.usvisascheduling.com/',
  ),
  country('en-us', ['United States', '美国'], 'other_system', []),
  country('en-in', ['India', '印度'], 'other_system', [elsewhere('New Delhi', '新德里')], 'https://www.usvisascheduling.com/'),
  country('en-gr', ['Greece', '希腊'], 'ended', []),
];

/** Returns the response about countries of an operator who opened these, Canada first. */
export const opened = (...codes: string[]): { countries: Country[] } => ({
  countries: all.map((one) => (codes.includes(one.code) ? { ...one, available: true, state: 'open' as const } : one)),
});

/** Handler of the countries and cities. The operator has opened only Canada. */
export const countries: Handlers = { 'GET /facilities': () => ok(opened()) };
