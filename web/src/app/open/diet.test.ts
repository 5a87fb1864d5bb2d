import { describe, expect, it } from 'vitest';
import { diet } from '../../../scripts/diet.mjs';
import { livingClasses, shortenKept } from '../../../scripts/kept.mjs';

const html = `<div data-part="a" style="display:contents"><p class="css-one MuiX-root">a<!-- --> <b class="used">b</b></p><a tabindex="0" href="/">⟦?demo⟧x⟦/demo⟧</a></div>
<div data-part="b" style="display:contents"><!--$--><div class="css-two MuiX-root"><div></div></div><!--/$--></div>`;
const css = `
:root{--mui-spacing:8px;--mui-a:1px;--mui-b:var(--mui-c);--mui-c:red;--mui-unused:blue}
[data-theme="dark"]{--mui-c:black;--mui-unused:grey}
.css-one{display:-webkit-box;display:flex;padding:calc(2 * var(--mui-spacing, 8px));color:var(--mui-b);color:green;color:var(--mui-b)}
.css-one:hover{color:var(--mui-c, red)}.css-one[data-play] .used{margin:var(--mui-a)}
.css-one.Mui-focused{color:pink}.css-gone{color:pink}section .used{color:pink}
@media (min-width:0px){.css-two{gap:1px}}.css-two:hover{gap:2px}.css-two>div{gap:3px}
@keyframes spin{to{rotate:1turn}}`;

describe('the rules of a document', () => {
  const living = livingClasses(html);
  const slim = diet(css, html, living);

  it('keeps what the markup can use, and nothing else', () => {
    expect(slim).toContain('.css-one{color:var(--');
    expect(slim).toContain('display:flex');
    expect(slim).toContain('padding:16px');
    expect(slim).toContain('.css-two{gap:1px}');
    expect(slim).toContain('.css-two>div{gap:3px}');
    // States that come by attribute may come to a part that stays; a hover, where no code of ours would bring it.
    expect(slim).toContain('.css-one[data-play] .used{margin:1px}');
    expect(slim).toContain('.css-one:hover{');
    for (const none of ['pink', 'blue', 'grey', 'green', '-webkit-box', 'min-width:0', 'spin', '.css-two:hover', '--mui-'])
      expect(slim).not.toContain(none);
    expect(slim).toMatch(/\[data-theme=dark\]\{--\w+:black\}/);
  });

  it('shortens parts that stay, and leaves alone what comes alive', () => {
    const short = shortenKept(html, slim, living);
    expect(short.html).toContain('<p class="k0">a <b class="used">b</b></p><a href="/">⟦?demo⟧x⟦/demo⟧</a>');
    expect(short.html).toContain('<!--$--><div class="css-two MuiX-root"><div></div></div><!--/$-->');
    expect(short.css).toContain('.k0{');
    expect(short.css).not.toContain('css-one');
    expect(short.css).toContain('.css-two{');
  });
});
