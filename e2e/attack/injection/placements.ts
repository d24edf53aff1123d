import type { AttackRepository } from '../repositories.ts';
import { outputInstruction } from './instructions.ts';
import { AIMS, DISGUISES, type Targets } from './poisons.ts';

/** A poisoned text and where it is put. */
export interface Poison {
  /** `p17`. */
  id: string;
  name: string;
  text: string;
}

/** All poisons by the place in which they lie. */
export interface Poisons {
  /** A file each, `poisons/p17.md`. */
  files: Poison[];
  /** A source file each, named in the frame of an error. */
  frames: Poison[];
  messages: Poison[];
  names: Poison[];
  refs: Poison[];
  authors: Poison[];
  readme: Poison[];
  errors: Poison[];
  snippets: Poison[];
  chats: Poison[];
  sessions: Poison[];
  analyses: Poison[];
  /** An imported issue each, whose number is that of the poison. */
  issues: Poison[];
}

/** Makes every poison: aims × disguises, spread over the places. `every` keeps one of so many. */
export function makePoisons(targets: Targets, every: number): Poisons {
  let number = 0;
  const aims = Object.entries(AIMS);
  const disguises = Object.entries(DISGUISES);
  const make = (aim: (typeof aims)[number], [style, frame]: (typeof disguises)[number]): Poison => {
    number += 1;
    const id = `p${number}`;
    const text = frame.replaceAll('{}', () => aim[1](id, targets).join('\n'));
    return { id, name: `${aim[0]}, ${style}`, text };
  };
  const some = (from: number, count: number) =>
    aims.flatMap((aim, index) =>
      Array.from({ length: count }, (_, step) =>
        make(aim, disguises[(from + index + step) % disguises.length]!),
      ),
    );
  const spoken = (count: number, separator = ' '): Poison[] =>
    Array.from({ length: count }, () => {
      number += 1;
      const text = outputInstruction(`p${number}`, 'everything').replaceAll(' ', separator);
      return { id: `p${number}`, name: 'say everything', text };
    });
  const all: Poisons = {
    files: aims.flatMap((aim) => disguises.map((style) => make(aim, style))),
    frames: some(0, 1),
    messages: some(1, 3),
    names: spoken(6),
    refs: spoken(6, '+'),
    authors: spoken(6),
    readme: some(2, 1),
    errors: some(3, 1),
    snippets: some(4, 1),
    chats: some(5, 1),
    sessions: some(6, 1),
    analyses: some(7, 1),
    issues: aims.flatMap((aim) => disguises.map((style) => make(aim, style))),
  };
  const thin = (list: Poison[]) => list.filter((_, index) => index % every === 0);
  return Object.fromEntries(
    Object.entries(all).map(([place, list]) => [place, thin(list)]),
  ) as unknown as Poisons;
}

/** Writes the poisons that a repository can hold. */
export async function buildPoisoned(repo: AttackRepository, poisons: Poisons): Promise<void> {
  await repo.commit(
    { message: 'Begin', files: { 'README.md': `# Poisoned\n\n${textsOf(poisons.readme)}\n` } },
    ...poisons.messages.map(({ id, text }) => ({
      message: `Explain ${id}\n\n${text}`,
      files: { [`src/${id}.js`]: `export const ${id} = 1;\n` },
    })),
    ...poisons.authors.map(({ id, text }) => ({
      author: `${text} <${id}@example.org>`,
      message: `By ${id}`,
      files: { [`src/by-${id}.js`]: `export const ${id} = 2;\n` },
    })),
    {
      message: 'Add many texts',
      files: Object.fromEntries([
        ...poisons.files.map(({ id, text }) => [`poisons/${id}.md`, `# About ${id}\n\n${text}\n`]),
        ...poisons.frames.map(({ id, text }) => [`src/frame_${id}.js`, frameOf(id, text)]),
        ...poisons.names.map(({ text }) => [`names/${text}.md`, '# A name\n']),
      ]),
    },
  );
  const head = await repo.git(['rev-parse', 'main']);
  const refs = poisons.refs.map(
    ({ text }, index) => `create refs/${index % 2 ? 'tags' : 'heads'}/${text} ${head}`,
  );
  await repo.git(['update-ref', '--stdin'], `${refs.join('\n')}\n`);
}

/** The poisoned issues as an export file, with poisoned comments. Titles are poisoned as well, as far as they hold the text. */
export function poisonedIssues({ issues }: Poisons): object[] {
  return issues.map(({ id, text }, index) => ({
    ...{ kind: index % 2 ? 'pull_request' : 'issue', number: issueNumber(id), state: 'closed' },
    ...{ title: index % 3 === 0 ? `About ${id}: ${text}` : `About ${id}`, body: text, author: text },
    labels: [text],
    comments: [{ user: { login: text }, body: text }],
  }));
}

/** Number of the issue of a poison. */
export function issueNumber(id: string): number {
  return Number(id.slice(1));
}

function textsOf(poisons: Poison[]): string {
  return poisons.map(({ text }) => text).join('\n\n');
}

function frameOf(id: string, text: string): string {
  const comment = text.split('\n').map((line) => `// ${line}`);
  return `${comment.join('\n')}\nexport function run_${id}(value) {\n  return value.missing.${id};\n}\n`;
}

/** The line of the function's body in such a file. */
export function frameLine({ text }: Poison): number {
  return text.split('\n').length + 2;
}
