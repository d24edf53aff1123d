import { git } from './run.ts';

/** Names of a commit's parts, with texts of any length. */
interface ExpandingCommit {
  tree: string;
  parents?: string[];
  message?: string;
  author?: string;
}

/** Writes objects of few bytes that stand for very much, since git shares whatever is equal. */
export interface ExpandingWriter {
  blob(content: string | Buffer): Promise<string>;
  /** A folder of entries `[mode, hash, name]`. */
  tree(entries: readonly (readonly [mode: string, oid: string, name: string])[]): Promise<string>;
  /** A folder of `folders` × `files` files, whose paths have `depth` further folders with names of 200 bytes. */
  wideTree(options: { folders: number; files: number; depth: number; seed?: string }): Promise<string>;
  commit(commit: ExpandingCommit): Promise<string>;
  branch(name: string, oid: string): Promise<void>;
}

const NAME_BYTES = 200;
const FILE = '100644';
const FOLDER = '040000';

/** A writer for a bare repository. Commits are a minute apart, the last one newest. */
export function writeExpanding(repo: string): ExpandingWriter {
  let time = 1_700_000_000;
  const run = async (args: string[], input: string | Buffer = '') =>
    (await git(repo, args, { name: args[0]!, input })).stdout.toString().trim();
  const tree: ExpandingWriter['tree'] = (entries) =>
    run(
      ['mktree', '-z'],
      entries
        .map(([mode, oid, name]) => `${mode} ${mode === FOLDER ? 'tree' : 'blob'} ${oid}\t${name}\0`)
        .join(''),
    );
  const blob: ExpandingWriter['blob'] = (content) => run(['hash-object', '-w', '--stdin'], content);
  return {
    blob,
    tree,
    async wideTree({ folders, files, depth, seed = '' }) {
      const empty = await blob(`x${seed}\n`);
      const numbered = (count: number) => Array.from({ length: count }, (_, i) => `${i}`.padStart(6, '0'));
      let inner = await tree(numbered(files).map((name) => [FILE, empty, `${seed}${name}`]));
      for (let level = 0; level < depth; level++) {
        inner = await tree([[FOLDER, inner, `${seed}${level}-`.padEnd(NAME_BYTES, 'n')]]);
      }
      return await tree(numbered(folders).map((name) => [FOLDER, inner, name]));
    },
    async commit({ tree, parents = [], message = 'Change everything\n', author = 'Mallory' }) {
      time += 60;
      const identities = `author ${author} <m@example.org> ${time} +0000\ncommitter M <m@example.org> ${time} +0000`;
      const above = parents.map((parent) => `parent ${parent}\n`).join('');
      return await run(
        ['hash-object', '-t', 'commit', '-w', '--literally', '--stdin'],
        `tree ${tree}\n${above}${identities}\n\n${message}`,
      );
    },
    branch: async (name, oid) => void (await run(['update-ref', `refs/heads/${name}`, oid])),
  };
}
