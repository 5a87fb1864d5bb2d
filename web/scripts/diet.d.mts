export function diet(css: string, html: string, living: ReadonlySet<string>): string;
