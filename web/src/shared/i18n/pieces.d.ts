/** How each piece of the words is loaded, by language and area (scripts/words.ts). */
declare module 'virtual:words/*' {
  const pieces: Record<'en' | 'zh', Partial<Record<string, () => Promise<unknown>>>>;
  export default pieces;
}
