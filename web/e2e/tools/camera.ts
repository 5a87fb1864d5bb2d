import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import type { Cue, FilmFacts } from '../../src/features/site/landing/filmFacts.ts';
import type { Language } from '../../src/shared/i18n/language.ts';
import type { PageTexts } from '../support/pageTexts.ts';

/** Size of the recorded page, and the pixel density of the file. */
export const formats = {
  wide: { width: 864, height: 540, dots: 1.5 },
  phone: { width: 390, height: 520, dots: 2 },
} as const;
export type Size = keyof typeof formats;

/** Longest time without a change in the film, in seconds. Longer waits are cut. */
const LONGEST_STILL_S = 0.8;
const LAST_STILL_S = 3;
/** Longest film, in seconds. A longer recording is sped up. */
const LONGEST_FILM_S = 32;
const FACTS = 'src/features/site/landing/film.json';

/** Style of the visible pointer, which moves smoothly to an element before a press. */
const POINTER = `position:fixed;left:0;top:0;width:22px;height:22px;margin:-11px 0 0 -11px;border-radius:50%;z-index:99999;
  pointer-events:none;background:rgba(17,24,39,.28);border:2px solid #fff;box-shadow:0 1px 4px rgba(0,0,0,.35);
  transition:transform 420ms cubic-bezier(.2,.7,.2,1),scale 160ms;transform:translate(50vw,60vh)`;

/**
 * Records a film of a page with the browser's screencast, with a visible pointer and the times of
 * the captions.
 */
export class Camera {
  private readonly folder = mkdtempSync(join(tmpdir(), 'sooner-film-'));
  private readonly frames: { file: string; at: number }[] = [];
  private readonly notes: { frame: number; cue: Cue; chapter: boolean }[] = [];
  private rolling = true;
  private session: Awaited<ReturnType<ReturnType<Page['context']>['newCDPSession']>> | undefined;

  constructor(
    private readonly page: Page,
    private readonly size: Size,
    private readonly language: Language,
  ) {}

  async roll(): Promise<void> {
    const { width, height, dots } = formats[this.size];
    const session = await this.page.context().newCDPSession(this.page);
    this.session = session;
    session.on('Page.screencastFrame', ({ data, metadata, sessionId }) => {
      if (this.rolling) {
        const file = join(this.folder, `${String(this.frames.length).padStart(5, '0')}.jpg`);
        writeFileSync(file, Buffer.from(data, 'base64'));
        this.frames.push({ file, at: metadata.timestamp ?? 0 });
      }
      void session.send('Page.screencastFrameAck', { sessionId }).catch(() => undefined);
    });
    await session.send('Page.startScreencast', { format: 'jpeg', quality: 92, maxWidth: width * dots, maxHeight: height * dots });
  }

  /** Records the start of a caption, and of a chapter if `chapter`. */
  note(cue: Cue, chapter = false): void {
    this.notes.push({ frame: this.frames.length, cue, chapter });
  }

  /** Scrolls an element to the middle of the picture. */
  async look(at: Locator): Promise<void> {
    await at.evaluate((element) => element.scrollIntoView({ behavior: 'smooth', block: 'center' }));
    await this.page.waitForTimeout(700);
  }

  /** Scrolls to an element, moves the pointer to it, and presses it. */
  async press(what: Locator): Promise<void> {
    await this.look(what);
    const box = await what.boundingBox();
    if (box)
      await this.page.evaluate(
        ([x, y, style]) => {
          const pointer = document.getElementById('film-pointer') ?? document.body.appendChild(document.createElement('div'));
          if (!pointer.id) {
            pointer.id = 'film-pointer';
            // Sets the style by script, because the content security policy forbids style
            // attributes in markup.
            pointer.style.cssText = style;
            pointer.getBoundingClientRect();
          }
          pointer.style.transform = `translate(${x}px,${y}px)`;
          setTimeout(() => {
            pointer.style.scale = '.6';
            setTimeout(() => {
              pointer.style.scale = '1';
            }, 200);
          }, 480);
        },
        [box.x + Math.min(box.width / 2, 120), box.y + box.height / 2, POINTER] as const,
      );
    await this.page.waitForTimeout(620);
    await what.click();
    await this.page.waitForTimeout(250);
  }

  /** Stops recording, and creates the files of public/film and their data. It needs ffmpeg. */
  async cut(texts: PageTexts): Promise<void> {
    this.rolling = false;
    await this.session?.send('Page.stopScreencast');
    const taken = this.frames.map((frame, index) => {
      const next = this.frames[index + 1];
      return { file: frame.file, seconds: next ? Math.min(LONGEST_STILL_S, Math.max(0.02, next.at - frame.at)) : 0 };
    });
    const pace = Math.max(1, taken.reduce((sum, shot) => sum + shot.seconds, LAST_STILL_S) / LONGEST_FILM_S);
    const shots = taken.map((shot) => ({ file: shot.file, seconds: shot.seconds / pace || LAST_STILL_S }));
    this.encode(shots);
    const until = (frame: number) => shots.slice(0, frame).reduce((sum, shot) => sum + shot.seconds, 0);
    const tenth = (seconds: number) => Math.round(seconds * 10) / 10;
    const facts: FilmFacts = {
      seconds: tenth(until(shots.length)),
      chapters: this.notes.filter((note) => note.chapter).map((note) => tenth(until(note.frame))),
      cues: this.notes.map((note) => [tenth(until(note.frame)), note.cue]),
    };
    const all = JSON.parse(readFileSync(FACTS, 'utf8')) as Record<Language, Record<Size, FilmFacts>>;
    all[this.language][this.size] = facts;
    writeFileSync(FACTS, `${JSON.stringify(all, null, 2)}\n`);
    writeFileSync(`public/film/${this.language}-${this.size}.vtt`, captions(facts, texts));
    rmSync(this.folder, { recursive: true, force: true });
  }

  /**
   * Encodes the film and its last picture. The film is small, because the page consists of flat
   * colours and text. Every browser plays the format.
   */
  private encode(shots: { file: string; seconds: number }[]): void {
    const { width, height, dots } = formats[this.size];
    const list = join(this.folder, 'list.txt');
    const lines = shots.flatMap(({ file, seconds }) => [`file '${file}'`, `duration ${seconds.toFixed(3)}`]);
    writeFileSync(list, `${lines.join('\n')}\nfile '${shots.at(-1)?.file}'\n`);
    mkdirSync('public/film', { recursive: true });
    const to = `public/film/${this.language}-${this.size}`;
    const run = (...args: string[]) => execFileSync('ffmpeg', ['-y', '-loglevel', 'error', ...args], { stdio: 'inherit' });
    const filter = `fps=15,scale=${width * dots}:${height * dots}:flags=lanczos,format=yuv420p`;
    const input = ['-f', 'concat', '-safe', '0', '-i', list, '-vf', filter, '-an'];
    run(...input, '-c:v', 'libx264', '-crf', '29', '-preset', 'slow', '-movflags', '+faststart', `${to}.mp4`);
    run('-sseof', '-0.5', '-i', `${to}.mp4`, '-frames:v', '1', '-quality', '72', `${to}.webp`);
  }
}

/** Returns the film's captions as WebVTT. */
function captions({ cues, seconds }: FilmFacts, texts: PageTexts): string {
  const time = (at: number) => `00:${String(Math.floor(at / 60)).padStart(2, '0')}:${(at % 60).toFixed(3).padStart(6, '0')}`;
  const lines = cues.map(
    ([from, cue], index) => `${time(from)} --> ${time(cues[index + 1]?.[0] ?? seconds)}\n${texts.text(`showcase.cue.${cue}`)}\n`,
  );
  return `WEBVTT\n\n${lines.join('\n')}`;
}
