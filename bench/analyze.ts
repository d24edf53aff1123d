import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { createCheckerPool } from '../src/diagnose/checker-pool.ts';
import { createTypeChecker } from '../src/diagnose/types/type-checker.ts';
import { isTypedPath } from '../src/diagnose/types/type-task.ts';
import { git } from '../src/git/run.ts';
import { startSpawner } from '../src/git/spawner.ts';
import { openTypeProject } from '../src/server/ide/type-project.ts';
import { percentile } from './speed-timing.ts';

/*
 * npm run bench:analyze -- --repositories FOLDER [--only owner+name,…] [--files N]
 *
 * Measures the checks of the editor on real TypeScript, with all checkers: the first check of a file, in a process that was prepared
 * when the editor listed the files; after each edit of one line the check of what changed, which follows the typing, and that of the
 * whole file; and a check of the same text again. The goals are 2 s at first and 300 ms again for 1,000 lines.
 * Then checks files of each repository as they are, without their packages: every finding in them is taken for a false one, since
 * the projects compile. Writes results/analyze.md.
 */
const option = (name: string, other: string) => {
  const at = process.argv.indexOf(`--${name}`);
  return at === -1 ? other : (process.argv[at + 1] ?? other);
};
const FOLDER = option('repositories', '.');
const NAMES = option('only', 'honojs+hono,sindresorhus+got,ajv-validator+ajv,axios+axios,koajs+koa').split(
  ',',
);
const MAX_FILES = Number(option('files', '40'));
/** Lines of the files that stand for 1,000 lines. */
const [MIN_LINES, MAX_LINES] = [700, 1_400];
const TIMED_FILES = 4;
const EDITS = 5;

const signal = new AbortController().signal;
const spawner = await startSpawner();
// Processes that are ending keep no program alive.
const alive = setInterval(() => {}, 1_000);
const rows: string[] = [];
const timings: string[] = [];
try {
  for (const name of NAMES) await measureRepository(name);
} finally {
  await spawner.close();
  clearInterval(alive);
}
const head = `# Checks of the editor

Measured with \`npm run bench:analyze\` on ${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.versions.node}.`;
const text = [
  head,
  '\n## Time\n',
  'The process of the types was prepared, as when the editor lists the files. Goals: first ≤ 2,000 ms, again ≤ 300 ms. After an edit',
  'the statements on the changed lines are checked first, then the whole file; medians of the edits, and the slowest.\n',
  '| file | lines | first ms | changed lines ms | whole file ms | same text ms |\n|---|---:|---:|---:|---:|---:|',
  ...timings,
  '\n## False findings\n',
  'Files as they are at the head, without packages. Findings in files that compile are false.\n',
  '| repository | files | files with errors | errors | findings hidden |\n|---|---:|---:|---:|---:|',
  ...rows,
  '',
].join('\n');
writeFileSync(join(import.meta.dirname, 'results/analyze.md'), text);
console.log(text);

async function measureRepository(name: string): Promise<void> {
  const repo = join(FOLDER, name, 'repo');
  const commit = (await git(repo, ['rev-parse', 'HEAD'], { name: 'rev-parse' })).stdout.toString().trim();
  const project = openTypeProject(repo, { id: name, commit });
  const { files } = await project.list(signal);
  const sources = files.filter(([path]) => isTypedPath(path) && !path.endsWith('.d.ts'));
  await timeFiles(name, sources, project);
  const every = Math.max(1, Math.ceil(sources.length / MAX_FILES));
  const types = createTypeChecker({ workTimeoutMs: 60_000 });
  const counts = { files: 0, withErrors: 0, errors: 0, hidden: 0 };
  for (const [path, oid] of sources.filter((_, at) => at % every === 0)) {
    const [text] = await project.read([oid], signal);
    if (text == null) continue;
    const file = { path, text, unsaved: {}, withFixes: false };
    const { diagnostics, hidden } = await types.check(file, project, { signal, userId: 'bench' });
    const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
    counts.files += 1;
    counts.withErrors += Math.min(1, errors);
    counts.errors += errors;
    counts.hidden += hidden;
  }
  await types.close();
  const label = name.replace('+', '/');
  rows.push(`| ${label} | ${counts.files} | ${counts.withErrors} | ${counts.errors} | ${counts.hidden} |`);
}

/** Times the files whose length is nearest to 1,000 lines, each in a process of its own. */
async function timeFiles(
  name: string,
  sources: readonly [path: string, oid: string][],
  project: ReturnType<typeof openTypeProject>,
): Promise<void> {
  const texts = await project.read(
    sources.map(([, oid]) => oid),
    signal,
  );
  const sized = sources
    .flatMap(([path], at) => {
      const code = texts[at] ?? '';
      const lines = code.split('\n').length;
      return /\.tsx?$/.test(path) && lines >= MIN_LINES && lines <= MAX_LINES ? [{ path, code, lines }] : [];
    })
    .toSorted((a, b) => Math.abs(a.lines - 1_000) - Math.abs(b.lines - 1_000))
    .slice(0, TIMED_FILES);
  for (const { path, code, lines } of sized) {
    const [checkers, types] = [createCheckerPool(), createTypeChecker({ workTimeoutMs: 60_000 })];
    // As when the editor lists the files.
    await types.prepare(project, { signal, userId: 'bench' });
    const time = async (text: string, onlyChanges: boolean) => {
      const began = performance.now();
      await Promise.all([
        checkers.check({ path, text }, { signal, userId: 'bench' }).catch(() => null),
        types.check({ path, text, unsaved: {}, withFixes: false, onlyChanges }, project, {
          signal,
          userId: 'bench',
        }),
      ]);
      return performance.now() - began;
    };
    const first = await time(code, false);
    const again = { changed: [] as number[], whole: [] as number[], same: [] as number[] };
    for (let edit = 1; edit <= EDITS; edit++) {
      const edited = `${code}\nexport const edit${edit} = ${edit};\n`;
      again.changed.push(await time(edited, true));
      again.whole.push(await time(edited, false));
      again.same.push(await time(edited, false));
    }
    await Promise.all([checkers.close(), types.close()]);
    const label = `${name.replace('+', '/')} \`${path}\``;
    const of = (times: number[]) =>
      `${Math.round(percentile(times, 0.5))} / ${Math.round(Math.max(...times))}`;
    const columns = [again.changed, again.whole, again.same].map(of).join(' | ');
    timings.push(`| ${label} | ${lines} | ${Math.round(first)} | ${columns} |`);
  }
}
