import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Plugin } from 'vite';

/** A script of the build; `scripts/prerender.mjs` reads the list. */
interface ChunkDescription {
  file: string;
  /** Module that it was made for, relative to `src`; null for shared scripts. */
  module: string | null;
  /** Scripts that it needs at once. */
  imports: string[];
  /** Namespaces of texts that its modules name. */
  texts: string[];
}

const NAMESPACES = /useTranslation\(\s*(\[[^\]]*\]|'[^']*')|\bt\(\s*'([\w-]+):/g;

/** Writes `site/chunks.json`: the scripts of the build, for the preloads of each page and the table of sizes. */
export function describeChunks(root: string): Plugin {
  return {
    name: 'describe-chunks',
    // After vite has taken out the scripts of stylesheets.
    enforce: 'post',
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).flatMap((chunk): ChunkDescription[] => {
        if (chunk.type !== 'chunk') return [];
        const module = chunk.facadeModuleId && relative(`${root}..`, chunk.facadeModuleId);
        return [
          {
            file: `/${chunk.fileName}`,
            module,
            imports: prefixed(chunk.imports),
            texts: textsOf(chunk.moduleIds),
          },
        ];
      });
      const texts = Object.values(bundle).flatMap((asset) => {
        const [, language, name] =
          /locales\/(\w+)\/([\w-]+)\.json$/.exec(
            asset.type === 'asset' ? (asset.originalFileNames[0] ?? '') : '',
          ) ?? [];
        return name ? [{ language, name, file: `/${asset.fileName}` }] : [];
      });
      this.emitFile({
        type: 'asset',
        fileName: 'site/chunks.json',
        source: JSON.stringify({ chunks, texts }),
      });
    },
  };
}

function prefixed(files: string[]): string[] {
  return files.map((file) => `/${file}`);
}

function textsOf(modules: string[]): string[] {
  const names = modules
    .filter((module) => /\/src\/web\/.*\.tsx?$/.test(module))
    .flatMap((module) => [...readFileSync(module, 'utf8').matchAll(NAMESPACES)])
    .flatMap(([, named = '', prefix]) =>
      prefix ? [prefix] : [...named.matchAll(/'([^']+)'/g)].map(([, name]) => name!),
    );
  // Texts of failures are those of the server, and are loaded in idle time.
  return [...new Set(names)].filter((name) => name !== 'errors').sort();
}
