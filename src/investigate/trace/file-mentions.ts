import { type Frame, MAX_FRAMES } from './trace.ts';

/** `path.ext:12[:3]`, `path.ext(12,3)`, `path.ext, line 12` and `path/to/name.ext` anywhere in a line. */
const FILE_MENTION =
  /(?<![\w./@+-])((?:[A-Za-z]:)?[\w./@+\\-]{0,300}[\w-]\.[A-Za-z][A-Za-z0-9+]{0,9})(?:(?::|, line |\()(\d{1,7})(?:[:,](\d{1,7}))?|(?![\w.]))/g;
/** Extensions of source files, which exclude version numbers, domains, `e.g` and methods. */
const SOURCE_EXTENSION =
  /\.(?:[cm]?[jt]sx?|pyi?|rs|go|java|kts?|c|h|cc|cpp|hpp|cxx|cs|rb|php|p[lm]|swift|scala|sh|vue|svelte|sql|json|ya?ml|toml|html|css|md)$/i;

/** Files mentioned in any text, in order; the fallback when no parser matches. */
export function findFileMentions(lines: string[]): Frame[] {
  const frames: Frame[] = [];
  for (const text of lines) {
    for (const [, path, line, column] of text.matchAll(FILE_MENTION)) {
      if (frames.length >= MAX_FRAMES) return frames;
      if (!SOURCE_EXTENSION.test(path!)) continue;
      frames.push({
        path: path!.replaceAll('\\', '/').replace(/^(?:\.\/)+/, ''),
        line: line ? Number(line) : null,
        ...(column && { column: Number(column) }),
      });
    }
  }
  return frames;
}
