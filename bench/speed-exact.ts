import { join } from 'node:path';
import { type GrepPattern, grep } from '../src/git/grep.ts';
import { git } from '../src/git/run.ts';
import { startBySpawner } from '../src/git/spawner.ts';
import type { RepositoryIndex } from '../src/memory/repository-index.ts';
import { searchLines } from '../src/search/expressions/search-lines.ts';
import { newFolder } from './speed-folder.ts';
import { ms, type Row, type Subject } from './speed-row.ts';
import { percentile, timeEach } from './speed-timing.ts';

const OPTIONS = { maxMatches: 1_000_000, timeoutMs: 120_000 };

/** Literal texts and regular expressions over HEAD, each searched to the end, beside three engines. */
export async function exactRows(subject: Subject, index: RepositoryIndex): Promise<Row[]> {
  const names = definedNames(index, subject.queries);
  const expressions = names.map((name) => `${name.slice(0, Math.ceil(name.length / 2))}[A-Za-z_]*\\(`);
  const folder = await checkOut(subject);
  return [
    ...(await compare(subject, index, folder, 'literal', names, (name) => ({ fixed: [name] }))),
    ...(await compare(subject, index, folder, 'regular expression', expressions, (regex) => ({ regex }))),
  ];
}

async function compare(
  { name, repo, rounds }: Subject,
  index: RepositoryIndex,
  folder: string,
  kind: string,
  texts: string[],
  pattern: (text: string) => GrepPattern,
): Promise<Row[]> {
  const half = async (run: (text: string) => unknown) => percentile(await timeEach(texts, rounds, run), 0.5);
  const ours = await half((text) => searchLines(repo, index, pattern(text), OPTIONS));
  const rivals: Record<string, (text: string) => unknown> = {
    'git grep': (text) => grep(repo, index.revision, pattern(text), OPTIONS),
    ripgrep: (text) => run(['rg', '-n', ...(kind === 'literal' ? ['-F'] : []), '-e', text, folder]),
    codesearch: (text) => run(['csearch', '-n', escaped(text, kind)], { CSEARCHINDEX: `${folder}.index` }),
  };
  await run(['cindex', folder], { CSEARCHINDEX: `${folder}.index` }).catch(() => {});
  const rows: Row[] = [];
  for (const [rival, search] of Object.entries(rivals)) {
    const theirs = await half(search).catch(() => null);
    if (theirs === null) {
      console.error(`${rival} is not installed.`);
      continue;
    }
    const isGoal = rival === 'git grep';
    rows.push({
      what: `${kind} over HEAD, median of ${texts.length}`,
      repository: name,
      ours: ms(ours),
      rival: `${rival}${isGoal ? '' : ' on files'} ${ms(theirs)}`,
      ratio: ours / theirs,
      goal: isGoal ? '≤ 0.3' : rival === 'codesearch' ? '≤ 1.5' : '–',
      met: ours / theirs <= (isGoal ? 0.3 : rival === 'codesearch' ? 1.5 : 1),
    });
  }
  return rows;
}

/** codesearch knows no literal texts. */
const escaped = (text: string, kind: string) => (kind === 'literal' ? text.replace(/[^\w]/g, '\\$&') : text);

/** Names that the code defines, from all over it. */
function definedNames({ code }: RepositoryIndex, count: number): string[] {
  const names = new Set<string>();
  const step = Math.max(1, Math.floor(code!.passageCount / (count * 4)));
  for (let passage = 0; passage < code!.passageCount && names.size < count; passage += step) {
    const name = code!.passageSymbol(passage)?.split('.').at(-1) ?? '';
    if (/^[A-Za-z_]{6,}$/.test(name)) names.add(name);
  }
  return [...names];
}

/** The files of HEAD in a folder, for those that read no repositories. */
async function checkOut(subject: Subject): Promise<string> {
  const folder = await newFolder(subject, 'files');
  const archive = join(subject.folder, 'files.tar');
  await git(subject.repo, ['archive', '--format=tar', `--output=${archive}`], {
    name: 'archive',
    revisions: [subject.head],
  });
  await run(['tar', '-xf', archive, '-C', folder]);
  return folder;
}

/** Runs a program as git is run, so that the size of this process costs neither side. Rejects when it is absent. */
async function run(argv: string[], env: Record<string, string> = {}): Promise<void> {
  const child = startBySpawner({ argv, env: { PATH: '/usr/local/bin:/usr/bin:/bin', ...env }, cwd: '/' })!;
  child.stdin.on('error', () => {}).end();
  child.stdout.resume();
  child.stderr.resume();
  const end = await child.ended;
  if ('error' in end) throw end.error;
}
