import { expect, test } from 'vitest';
import { mergeTexts } from './merge-texts.ts';

const BASE = 'one\ntwo\nthree\nfour\nfive\nsix\n';

test('changes of one side are taken, and what both changed alike', () => {
  const ours = 'ONE\ntwo\nthree\nfour\nnew\nfive\nsix\n';
  const theirs = 'one\ntwo\nthree\nFOUR\nnew\nfive\n';
  // `four` and the new line touch: both sides changed there.
  expect(mergeTexts(BASE, ours, BASE)).toEqual({ text: ours, conflicts: [] });
  expect(mergeTexts(BASE, BASE, theirs)).toEqual({ text: theirs, conflicts: [] });
  expect(
    mergeTexts(BASE, 'ONE\ntwo\nthree\nfour\nfive\nsix\n', 'one\ntwo\nthree\nfour\nfive\nSIX\n'),
  ).toEqual({
    text: 'ONE\ntwo\nthree\nfour\nfive\nSIX\n',
    conflicts: [],
  });
  expect(mergeTexts(BASE, theirs, theirs)).toEqual({ text: theirs, conflicts: [] });
  expect(mergeTexts(BASE, 'two\nthree\nfour\nfive\nsix\n', 'one\ntwo\nthree\nfour\nfive\nsix')).toEqual({
    text: 'two\nthree\nfour\nfive\nsix',
    conflicts: [],
  });
});

test('each conflict has its three texts and its place in every version', () => {
  const ours = 'zero\none\nmine\nthree\nfour\nfive\nmine too\n';
  const theirs = 'one\ntheirs\nthree\nfour\n';
  const { text, conflicts } = mergeTexts(BASE, ours, theirs);
  expect(text).toBe(ours);
  expect(conflicts.map(({ from, to, ...conflict }) => ({ ...conflict, text: text.slice(from, to) }))).toEqual(
    [
      {
        ...{ base: 'two\n', ours: 'mine\n', theirs: 'theirs\n', text: 'mine\n' },
        lines: { base: 2, ours: 3, theirs: 2 },
      },
      {
        ...{ base: 'five\nsix\n', ours: 'five\nmine too\n', theirs: '', text: 'five\nmine too\n' },
        lines: { base: 5, ours: 6, theirs: 5 },
      },
    ],
  );
});

test('two new files are one conflict', () => {
  const { text, conflicts } = mergeTexts('', 'a\nb\n', 'c\n');
  expect(text).toBe('a\nb\n');
  expect(conflicts).toMatchObject([{ from: 0, to: 4, ours: 'a\nb\n', theirs: 'c\n' }]);
});
