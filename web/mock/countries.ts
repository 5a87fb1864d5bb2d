/** The countries of the wizard as the server lists them. */
const city = (id: number, nameEn: string, nameZh: string) => ({ id, nameEn, nameZh });
export const countries = [
  {
    code: 'en-ca',
    nameEn: 'Canada',
    nameZh: '加拿大',
    available: true,
    facilities: [
      city(89, 'Calgary', '卡尔加里'),
      city(90, 'Halifax', '哈利法克斯'),
      city(91, 'Montreal', '蒙特利尔'),
      city(92, 'Ottawa', '渥太华'),
      city(93, 'Quebec City', '魁北克城'),
      city(94, 'Toronto', '多伦多'),
      city(95, 'Vancouver', '温哥华'),
    ],
  },
  { code: 'zh-cn', nameEn: 'China', nameZh: '中国', available: false, facilities: [] },
  { code: 'en-us', nameEn: 'United States', nameZh: '美国', available: false, facilities: [] },
];
