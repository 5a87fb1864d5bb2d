export function livingClasses(html: string): Set<string>;
export function shortenKept(html: string, css: string, living: ReadonlySet<string>): { html: string; css: string };
