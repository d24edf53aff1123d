import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SAMPLE_NAME } from '#contract/sample.ts';
import { AUTHORS, type SampleChange } from './history.ts';
import { HISTORY_2025 } from './history-2025.ts';
import { HISTORY_2026 } from './history-2026.ts';

/** Writes the bundle of the sample repository from its history: `node src/server/projects/sample/build-sample.ts`. */
function buildSample(): void {
  const folder = mkdtempSync(join(tmpdir(), 'sample-'));
  const bundle = fileURLToPath(new URL(`./${SAMPLE_NAME}.bundle`, import.meta.url));
  const run = (args: string[], input?: string) =>
    execFileSync('git', ['-C', folder, ...args], { input, stdio: ['pipe', 'inherit', 'inherit'] });
  try {
    run(['init', '-q', '--bare', '--initial-branch=main']);
    run(['fast-import', '--quiet'], formatHistory());
    run(['repack', '-adfq', '--depth=50', '--window=50']);
    run(['bundle', 'create', '-q', '--version=2', bundle, 'HEAD', '--branches', '--tags']);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * The history in the format of `git fast-import`; equal input gives equal hashes. The commit of 2026-09-14 breaks quotes
 * for zones without a surcharge.
 */
function formatHistory(): string {
  const files = new Map<string, string>();
  return [...HISTORY_2025, ...HISTORY_2026]
    .map(({ author, date, message, changes, tag }, at) => {
      const seconds = Date.parse(`${date.replace(' ', 'T')}:00Z`) / 1000;
      const person = `${AUTHORS[author]} ${seconds} +0000`;
      const lines = Object.entries(changes).map(([path, change]) => formatChange(files, path, change));
      const commit = `commit refs/heads/main\nmark :${at + 1}\nauthor ${person}\ncommitter ${person}\n`;
      const reset = tag ? `reset refs/tags/${tag}\nfrom :${at + 1}\n\n` : '';
      return `${commit}${formatData(`${message}\n`)}${lines.join('')}\n${reset}`;
    })
    .join('');
}

function formatChange(files: Map<string, string>, path: string, change: SampleChange): string {
  const text = typeof change === 'string' ? change : applyEdits(files.get(path) ?? '', change);
  files.set(path, text);
  return `M ${path.startsWith('bin/') ? 100755 : 100644} inline ${path}\n${formatData(text)}`;
}

function applyEdits(before: string, change: Exclude<SampleChange, string>): string {
  const edits = typeof change[0] === 'string' ? [change as [string, string]] : (change as [string, string][]);
  return edits.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`An edit changes nothing: ${from}`);
    return text.replace(from, () => to);
  }, before);
}

function formatData(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}\n`;
}

buildSample();
