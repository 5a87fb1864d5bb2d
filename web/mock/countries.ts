import { type Handlers, ok } from './api.ts';

const city = (id: number, nameEn: string, nameZh: string, zone = 'America/Toronto') => ({ id, nameEn, nameZh, zone });
/** Returns a city of a country that is not supported yet. It has no number. */
const planned = (nameEn: string, nameZh: string) => ({ id: null, nameEn, nameZh, zone: null });
const listed = [
  {
    code: 'en-ca' as const,
    nameEn: 'Canada',
    nameZh: '加拿大',
    available: true,
    facilities: [
      city(89, 'Calgary', '卡尔加里', 'America/Edmonton'),
      city(90, 'Halifax', '哈利法克斯', 'America/Halifax'),
      city(91, 'Montreal', '蒙特利尔'),
      city(92, 'Ottawa', '渥太华'),
      city(93, 'Quebec City', '魁北克城'),
      city(94, 'Toronto', '多伦多'),
      city(95, 'Vancouver', '温哥华', 'America/Vancouver'),
    ],
  },
  {
    code: 'zh-cn' as const,
    nameEn: 'China',
    nameZh: '中国',
    available: false,
    facilities: [
      planned('Beijing', '北京'),
      planned('Shanghai', '上海'),
      planned('Guangzhou', '广州'),
      planned('Chengdu', '成都'),
      planned('Shenyang', '沈阳'),
    ],
  },
  { code: 'en-us' as const, nameEn: 'United States', nameZh: '美国', available: false, facilities: [] },
];

/** Handler of the countries and cities. */
export const countries: Handlers = { 'GET /facilities': () => ok({ countries: listed }) };
