import type { Language } from '../i18n/language.ts';

/** Chinese texts of visa classes. The official site has only English names. */
const chinese: Record<string, string> = {
  'B1/B2': '商务和旅游',
  B1: '商务',
  B2: '旅游',
  'C1/D': '过境和机组船员',
  C1: '过境',
  D: '机组船员',
  E1: '条约贸易商',
  E2: '条约投资人',
  F1: '学生',
  F2: '学生家属',
  H1B: '专业工作',
  H2B: '临时工作',
  H4: 'H 签证家属',
  I: '媒体记者',
  J1: '交流访问',
  J2: '交流访问家属',
  K1: '未婚配偶',
  L1: '公司内部调派',
  L2: '调派人员家属',
  M1: '职业学生',
  M2: '职业学生家属',
  O1: '杰出人才',
  P1: '运动员和演艺人员',
  R1: '宗教人士',
  TD: 'TN 签证家属',
  TN: '美墨加协定专业人士',
};

function inChinese(text: string): string {
  const [code = ''] = text.split(' ');
  const translation = chinese[code.replaceAll('-', '').toUpperCase()];
  return translation ? `${code} ${translation}` : text;
}

/**
 * Returns a visa class without the text in parentheses. In Chinese, a known code is followed by its
 * Chinese text.
 */
export function visaClass(text: string | null, language: Language): string {
  const bare = (text ?? '').replace(/\s*[(（][^)）]*[)）]/g, '').trim();
  return language === 'zh' ? bare.split(', ').map(inChinese).join('、') : bare;
}
