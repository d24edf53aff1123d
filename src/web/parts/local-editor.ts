import type { LocalEditor } from '#contract/local-editors.ts';

/** Names of the editors that open a file by URL. JetBrains' open a project by its name, the others a folder by its path. */
export const LOCAL_EDITOR_NAMES: Readonly<Record<LocalEditor, string>> = {
  vscode: 'VS Code',
  cursor: 'Cursor',
  vscodium: 'VSCodium',
  zed: 'Zed',
  idea: 'IntelliJ IDEA',
  pycharm: 'PyCharm',
  'web-storm': 'WebStorm',
  goland: 'GoLand',
  rubymine: 'RubyMine',
  'php-storm': 'PhpStorm',
  rd: 'Rider',
  clion: 'CLion',
};

const FOLDER_EDITORS: readonly LocalEditor[] = ['vscode', 'cursor', 'vscodium', 'zed'];

/** Editor of the reader, and the clone of one project: its folder, or its name in a JetBrains editor. */
export interface LocalEditorSetting {
  editor: LocalEditor;
  clone: string;
}

/** True for editors that need the folder of the clone. */
export function needsFolder(editor: LocalEditor): boolean {
  return FOLDER_EDITORS.includes(editor);
}

/** URL that opens a line of a file in the editor. */
export function localEditorUrl(
  { editor, clone }: LocalEditorSetting,
  { path, line }: { path: string; line: number },
): string {
  if (needsFolder(editor)) {
    const folder = clone.replaceAll('\\', '/').replace(/\/+$/, '');
    const file = `${folder}/${path}`.replace(/^\/*/, '/');
    return `${editor}://file${file.split('/').map(encodeSegment).join('/')}:${line}`;
  }
  return `jetbrains://${editor}/navigate/reference?project=${encodeURIComponent(clone)}&path=${encodeURIComponent(`${path}:${line}`)}`;
}

/** Keeps the colon of a Windows drive. */
function encodeSegment(segment: string): string {
  return /^[A-Za-z]:$/.test(segment) ? segment : encodeURIComponent(segment);
}
