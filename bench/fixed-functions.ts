import { openBlobReader } from '../src/git/blobs.ts';
import { showCommit } from '../src/git/diff.ts';
import { detectLanguage, hasGrammar } from '../src/memory/chunk/languages.ts';
import { type Definition, parseOutline } from '../src/memory/chunk/outline.ts';
import type { RepositoryIndex } from '../src/memory/repository-index.ts';
import { isFunction } from '../src/search/code/function-headers.ts';
import type { Instance } from './options.ts';

const LARGEST = 2_000_000;

/**
 * `path:Class.method` of the functions that an instance's fix changed and that were there before it, read from the syntax
 * tree: what is defined inside a function is a part of it. As the data says where it does; null where nothing tells.
 */
export async function fixedFunctions(
  instance: Instance,
  { repo, index }: { repo: string; index: RepositoryIndex },
): Promise<string[] | null> {
  if (instance.gold_functions) return instance.gold_functions;
  if (!instance.fix_commit) return null;
  const blobs = openBlobReader(repo);
  const found: string[] = [];
  for (const { old_path: path, hunks } of await showCommit(repo, instance.fix_commit, { context: 0 })) {
    const file = path === null ? -1 : index.code!.fileNumber(path);
    if (file < 0 || !instance.gold_files.includes(path!)) continue;
    const blob = await blobs.read(index.code!.fileBlob(file), LARGEST);
    if (!blob || !('content' in blob)) continue;
    const changed = await changedIn(path!, blob.content.toString('utf8'), hunks);
    found.push(...changed.map((name) => `${path}:${name}`));
  }
  blobs.close();
  return found;
}

type Hunks = Awaited<ReturnType<typeof showCommit>>[number]['hunks'];

async function changedIn(path: string, text: string, hunks: Hunks): Promise<string[]> {
  const language = detectLanguage(path, text);
  const definitions = hasGrammar(language) ? ((await parseOutline(language, text))?.definitions ?? []) : [];
  const lines = text.split('\n');
  const names = new Set<string>();
  const visit = (definitions: Definition[], from: number, to: number) => {
    for (const {
      start,
      end,
      names: [name],
      children,
    } of definitions) {
      if (start > to || end < from) continue;
      if (isFunction(lines.slice(start, end + 1), name!, language)) names.add(name!);
      else visit(children, from, to);
    }
  };
  for (const { old_start: start, old_lines: count } of hunks) {
    // Rows from 0. What only adds lies between two rows: the one above tells, as long as the definition goes on.
    if (count > 0) visit(definitions, start - 1, start + count - 2);
    else visit(definitions.flatMap(openAt(start)), start - 1, start - 1);
  }
  return [...names];
}

/** Definitions that hold both the row above and the row below a place between rows. */
function openAt(row: number): (definition: Definition) => Definition[] {
  return (definition) => {
    if (definition.start >= row || definition.end < row) return [];
    return [{ ...definition, children: definition.children.flatMap(openAt(row)) }];
  };
}
