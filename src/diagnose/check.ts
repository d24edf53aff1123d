import { biomeReads, checkWithBiome } from './biome.ts';
import type { Diagnostic } from './diagnostic.ts';
import { checkWithRuff } from './ruff.ts';
import { checkSyntax, grammarFor } from './syntax.ts';
import { checkYaml } from './yaml.ts';

/** What the checker of a file's language says; `checkedBy` is empty for a language that has none. */
export interface Diagnosis {
  diagnostics: Diagnostic[];
  checkedBy: string[];
}

/** More findings than this help nobody; errors come first among those that stay. */
const MOST = 200;
const RANK = { error: 0, warning: 1, info: 2 };

/** Checks a text by the language that its path tells. Blocks its thread: see `pool.ts`. */
export async function check({ path, text }: { path: string; text: string }): Promise<Diagnosis> {
  const { diagnostics, checkedBy } = await find(path, text);
  const kept = diagnostics.toSorted((a, b) => RANK[a.severity] - RANK[b.severity]).slice(0, MOST);
  return { diagnostics: kept.sort((a, b) => a.line - b.line), checkedBy };
}

async function find(path: string, text: string): Promise<Diagnosis> {
  if (biomeReads(path)) return { diagnostics: checkWithBiome(path, text), checkedBy: ['Biome'] };
  if (/\.ya?ml$/i.test(path)) return { diagnostics: checkYaml(text), checkedBy: ['yaml'] };
  const language = grammarFor(path, text);
  if (language === 'python') return { diagnostics: checkWithRuff(text), checkedBy: ['Ruff'] };
  const found = language && (await checkSyntax(language, text));
  return found ? { diagnostics: found, checkedBy: ['tree-sitter'] } : { diagnostics: [], checkedBy: [] };
}
