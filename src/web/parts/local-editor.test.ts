import { expect, test } from 'vitest';
import { localEditorUrl } from './local-editor.ts';

test.each([
  [{ editor: 'vscode', clone: '/home/ada/my shop/' }, 'vscode://file/home/ada/my%20shop/src/a%23.js:7'],
  [{ editor: 'cursor', clone: 'C:\\code\\shop' }, 'cursor://file/C:/code/shop/src/a%23.js:7'],
  [
    { editor: 'pycharm', clone: 'my shop' },
    'jetbrains://pycharm/navigate/reference?project=my%20shop&path=src%2Fa%23.js%3A7',
  ],
] as const)('%o opens a line', (setting, url) => {
  expect(localEditorUrl(setting, { path: 'src/a#.js', line: 7 })).toBe(url);
});
