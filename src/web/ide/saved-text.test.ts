import { EditorState } from '@codemirror/state';
import { expect, test } from 'vitest';
import { changesSinceSaved, savedPlace } from './saved-text.ts';

const SAVED = 'function one() {\n  return 1;\n}\n\nfunction two() {\n}\n';

const state = EditorState.create({ doc: SAVED, extensions: [changesSinceSaved] });

function insertAt(from: number, insert: string) {
  const changed = state.update({ changes: { from, insert } }).state;
  return (line: number) => savedPlace(changed, state.doc, line);
}

function insertBehind(line: number, insert: string) {
  return insertAt(state.doc.line(line).to, insert);
}

test('a line of the editor has its place in the saved text, an added one behind the line before it', () => {
  const within = insertBehind(1, '\n  added();');
  expect(within(1)).toEqual({ line: 1, isAdded: false });
  expect(within(2)).toEqual({ line: 1, isAdded: true });
  expect(within(3)).toEqual({ line: 2, isAdded: false });
  const behind = insertBehind(3, '\nadded();');
  expect(behind(3)).toEqual({ line: 3, isAdded: false });
  expect(behind(4)).toEqual({ line: 3, isAdded: true });
  expect(behind(6)).toEqual({ line: 5, isAdded: false });
  const above = insertAt(0, 'added();\n');
  expect(above(1)).toEqual({ line: 0, isAdded: true });
  expect(above(2)).toEqual({ line: 1, isAdded: false });
});
