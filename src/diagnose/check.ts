import { extname } from 'node:path';
import { detectGrammar } from '#memory/chunk/languages.ts';
import type { CheckerDiagnostic } from './diagnostic.ts';

/** Diagnostics of a file; `checkedBy` is empty for a language without a checker. */
export interface Diagnosis {
  diagnostics: CheckerDiagnostic[];
  checkedBy: string[];
}

/** Maximum number of diagnostics; errors are kept first. */
const MAX_DIAGNOSTICS = 200;
/** Checkers quote names, which may be as long as the file. Longer messages are truncated. */
const MAX_MESSAGE_LENGTH = 1000;
const SEVERITY_RANK = { error: 0, warning: 1, info: 2 };

/** Extensions of the files that Biome checks. */
const BIOME_EXTENSIONS = new Set('.js .mjs .cjs .jsx .ts .mts .cts .tsx .json .jsonc .css'.split(' '));

/** Marks of templates, which are no HTML yet. */
const TEMPLATE_MARK = /\{\{|\{%|<%|<\?(?!xml)/;

/** Checks a text by the language of its path. Blocks its process: see `checker-pool.ts`. */
export async function checkFile({ path, text }: { path: string; text: string }): Promise<Diagnosis> {
  const { diagnostics, checkedBy } = await runChecker(path, text);
  const kept = diagnostics
    .toSorted((a, b) => SEVERITY_RANK[a.severity] - SEVERITY_RANK[b.severity])
    .slice(0, MAX_DIAGNOSTICS);
  kept.sort((a, b) => a.line - b.line);
  return { diagnostics: kept.map(truncateMessage), checkedBy };
}

function truncateMessage(finding: CheckerDiagnostic): CheckerDiagnostic {
  const { message } = finding;
  return message.length > MAX_MESSAGE_LENGTH
    ? { ...finding, message: `${message.slice(0, MAX_MESSAGE_LENGTH)}…` }
    : finding;
}

/** Checkers are loaded on first use: together they take half a second and 200 MB. */
async function runChecker(path: string, text: string): Promise<Diagnosis> {
  if (BIOME_EXTENSIONS.has(extname(path).toLowerCase())) {
    const { checkWithBiome } = await import('./biome.ts');
    return { diagnostics: checkWithBiome(path, text), checkedBy: ['Biome'] };
  }
  if (/\.html?$/i.test(path) && !TEMPLATE_MARK.test(text)) {
    const { checkWithBiome } = await import('./biome.ts');
    // Many end tags may be left out in HTML.
    const found = checkWithBiome(path, text).filter(({ message }) => !/closing tag/.test(message));
    return { diagnostics: found, checkedBy: ['Biome'] };
  }
  if (/\.ya?ml$/i.test(path)) {
    const { checkYaml, MAX_YAML_BYTES, YAML_TOO_LARGE } = await import('./yaml.ts');
    if (Buffer.byteLength(text) > MAX_YAML_BYTES) return { diagnostics: [YAML_TOO_LARGE], checkedBy: [] };
    return { diagnostics: checkYaml(text), checkedBy: ['yaml'] };
  }
  const language = detectGrammar(path, text);
  if (language === 'python') {
    const { checkWithRuff } = await import('./ruff.ts');
    return { diagnostics: checkWithRuff(text), checkedBy: ['Ruff'] };
  }
  const { checkSyntax } = await import('./syntax.ts');
  const errors = language && (await checkSyntax(language, text));
  return errors ? { diagnostics: errors, checkedBy: ['tree-sitter'] } : { diagnostics: [], checkedBy: [] };
}
