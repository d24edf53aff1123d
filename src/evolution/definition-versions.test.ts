import { expect, test } from 'vitest';
import { flattenVersions, parseFileVersion } from './definition-versions.ts';

const JAVASCRIPT = Array.from(
  { length: 12 },
  (_, i) => `/** Adds ${i}. */\nexport function add${i}(value) {\n  return value + ${i};\n}\n`,
);
const PYTHON = Array.from(
  { length: 12 },
  (_, i) =>
    `@cached(${i})\ndef read${i}(path):\n    return path + "${i}"\n\n\nclass Reader${i}:\n    def open(self):\n        return ${i}\n`,
);

test.each([
  ['a.js', JAVASCRIPT],
  ['a.py', PYTHON],
])('%s is parsed around the lines that differ, with the result of a whole parse', async (path, parts) => {
  const known = await parseFileVersion(path, parts.join('\n'));
  const edits: [string, string[]][] = [
    ['nothing', parts],
    ['a body', parts.with(5, parts[5]!.replace('return', 'log();\n    return'))],
    ['the first', parts.with(0, parts[0]!.replace('return', 'return 2 *'))],
    ['a comment or decorator', parts.with(6, parts[6]!.replace(/^.*\n/, ''))],
    ['a new one', parts.toSpliced(4, 0, parts[2]!.replaceAll('2', '99'))],
    ['a removed one', parts.toSpliced(7, 1)],
    ['the end', [...parts, parts[1]!.replaceAll('1', '77')]],
    ['two places', parts.with(2, parts[8]!).with(8, parts[2]!)],
    ['everything', parts.map((part) => part.replaceAll('return', 'throw'))],
  ];
  for (const [name, changed] of edits) {
    const text = changed.join('\n');
    const whole = flattenVersions(await parseFileVersion(path, text));
    expect(flattenVersions(await parseFileVersion(path, text, { known })), name).toEqual(whole);
    expect(whole.length, name).toBeGreaterThan(10);
  }
});
