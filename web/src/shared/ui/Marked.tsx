import { type ComponentType, Fragment, type ReactNode } from 'react';

const TAG = /<(\w+)>(.*?)<\/\1>/g;

interface Props {
  /** Text with tags that are not nested: `Move to <b>Toronto</b>`. */
  text: string;
  /** Component for each tag. */
  tags: Record<string, ComponentType<{ children: ReactNode }> | 'b'>;
}

/** Renders a text of the locale files, with its tags replaced by components. */
export function Marked({ text, tags }: Props) {
  const pieces: ReactNode[] = [];
  let from = 0;
  for (const found of text.matchAll(TAG)) {
    const [whole, name = '', inner] = found;
    const Tag = tags[name] ?? Fragment;
    pieces.push(text.slice(from, found.index), <Tag key={found.index}>{inner}</Tag>);
    from = found.index + whole.length;
  }
  return (
    <>
      {pieces}
      {text.slice(from)}
    </>
  );
}
