import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { randomNumbers } from './random.ts';

/** Size of a generated repository. */
export interface GeneratedSize {
  files: number;
  commits: number;
}

const FILES_PER_FOLDER = 25;
const FOLDERS_PER_PACKAGE = 20;
const FUNCTIONS = 4;
const CHANGED_PER_COMMIT = 2;
const START = 1_500_000_000;
const AUTHORS = 40;
const WORDS =
  'account amount archive basket batch branch buffer cache cart channel client cluster column commit config cursor customer deadline delivery digest discount document draft email entry event export field filter folder format frame gateway graph group handle header import index input invoice item journal key label ledger limit line link list lock log mail member merge message meter method module node notice number object order output packet page parcel parser password patch payment permission plan pointer policy pool price product profile project proxy query queue quota range rate reader receipt record region release report request resource result retry role route row rule sample scan schema scope search segment sender server session shard shipment signal socket source stock storage stream subject table tag target tax team template tenant thread ticket token trace tree trigger tunnel unit update upload user value vector version view volume warehouse watch window worker writer zone'.split(
    ' ',
  );
const VERBS =
  'add apply build check close count fetch find load merge open parse read resolve send store'.split(' ');

/** Writes a bare repository of TypeScript files with a linear history, the same for the same size, by `git fast-import`. */
export async function generateRepository(folder: string, { files, commits }: GeneratedSize): Promise<void> {
  await mkdir(folder, { recursive: true });
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', folder]);
  const child = spawn('git', ['-C', folder, 'fast-import', '--quiet'], {
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  const closed = once(child, 'close');
  for (const text of writeHistory({ files, commits })) {
    if (!child.stdin.write(text)) await once(child.stdin, 'drain');
  }
  child.stdin.end();
  const [code] = await closed;
  if (code !== 0) throw new Error(`git fast-import ended with ${code}.`);
}

/** Path of a generated file. */
export function generatedPath(file: number): string {
  const folder = Math.floor(file / FILES_PER_FOLDER);
  return `packages/p${Math.floor(folder / FOLDERS_PER_PACKAGE)}/src/d${folder % FOLDERS_PER_PACKAGE}/${nameOf(file)}.ts`;
}

/** Two words of a generated file, for a query. */
export function generatedQuery(file: number): string {
  return `${VERBS[file % VERBS.length]} ${wordOf(file)} ${wordOf(file * 7 + 1)}`;
}

/** Stack trace of an error in a generated file. */
export function generatedError(file: number): string {
  const name = `${VERBS[file % VERBS.length]}${capital(wordOf(file))}`;
  return `TypeError: Cannot read properties of undefined (reading '${wordOf(file * 7 + 1)}')\n    at ${name}0 (${generatedPath(file)}:4:18)`;
}

/** The commands of fast-import: all files in the first commit, then a few of them changed in each. */
function* writeHistory({ files, commits }: GeneratedSize): Generator<string> {
  const random = randomNumbers(1);
  const versions = new Uint32Array(files);
  for (let commit = 0; commit < commits; commit++) {
    const changed =
      commit === 0
        ? Array.from({ length: files }, (_, file) => file)
        : Array.from({ length: CHANGED_PER_COMMIT }, () => Math.floor(random() * files));
    const message = commit === 0 ? 'Begin' : messageOf(changed[0]!, commit);
    const author = `Author ${commit % AUTHORS} <author${commit % AUTHORS}@example.org>`;
    yield `commit refs/heads/main\ncommitter ${author} ${START + commit * 600} +0000\n${data(message)}`;
    for (const file of new Set(changed)) {
      yield `M 100644 inline ${generatedPath(file)}\n${data(sourceOf(file, versions[file]!++))}`;
    }
  }
}

function messageOf(file: number, commit: number): string {
  const subject = `${wordOf(file)} ${wordOf(commit)}`;
  if (commit % 3 === 0) return `Fix ${subject} when the ${wordOf(commit * 5)} is empty`;
  return `${capital(VERBS[commit % VERBS.length]!)} ${subject} in ${nameOf(file)}`;
}

/** Each version changes the body of one function. */
function sourceOf(file: number, version: number): string {
  const functions = Array.from({ length: FUNCTIONS }, (_, index) => {
    const changes = Math.floor((version + FUNCTIONS - 1 - index) / FUNCTIONS);
    const [one, two, three] = [1, 7, 13].map((step) => wordOf(file * step + index * (step - 1)));
    const name = `${VERBS[file % VERBS.length]}${capital(wordOf(file))}${index}`;
    return `/** ${capital(VERBS[(file + index) % VERBS.length]!)} the ${one} of a ${two}. */
export function ${name}(${one}: ${capital(two!)}${file}): number {
  const ${three}Limit = ${file % 97} + ${changes};
  const left = ${one}.${two}.filter((${three}) => ${three} !== null).length;
  if (left > ${three}Limit) throw new Error('Too many: ${one} ${two} ${changes}');
  return left * ${index + 1};
}
`;
  });
  return `import { ${capital(wordOf(file))} } from './${nameOf(file + 1)}.ts';\n\n${functions.join('\n')}`;
}

const wordOf = (number: number) => WORDS[number % WORDS.length]!;
const nameOf = (file: number) => `${wordOf(file)}-${wordOf(file * 7 + 1)}-${file}`;
const capital = (word: string) => word[0]!.toUpperCase() + word.slice(1);
const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`;
