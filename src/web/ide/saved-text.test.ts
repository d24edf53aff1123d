import { EditorState } from '@codemirror/state';
import { expect, test } from 'vitest';
import { changesSinceSaved, savedPlace } from './saved-text.ts';

const SAVED = 'function one() {\n  return 1;\n}\n\nfunction two() {\n}\n';

function insertBehind(line: number, insert: string) {
  const state = EditorState.create({ doc: SAVED, extensions: [changesSinceSaved] });
  const changed = state.update({ changes: { from: state.doc.line(line).to, insert } }).state;
  return (at: number) => savedPlace(changed, state.doc, at);
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
});
