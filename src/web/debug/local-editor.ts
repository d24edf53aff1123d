/** Editors that open a file by URL. JetBrains' open a project by its name, the others a folder by its path. */
export const LOCAL_EDITORS = {
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
} as const;
export type LocalEditor = keyof typeof LOCAL_EDITORS;

const FOLDER_EDITORS: readonly LocalEditor[] = ['vscode', 'cursor', 'vscodium', 'zed'];

/** Editor of this browser, and the clone of one project: its folder, or its name in a JetBrains editor. */
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

const EDITOR_KEY = 'local-editor';
const cloneKey = (projectId: string) => `local-clone:${projectId}`;

/** The setting of this browser for a project; null while there is none. */
export function readLocalEditor(
  projectId: string,
  storage: Storage = localStorage,
): LocalEditorSetting | null {
  const editor = storage.getItem(EDITOR_KEY) ?? '';
  const clone = storage.getItem(cloneKey(projectId)) ?? '';
  return Object.hasOwn(LOCAL_EDITORS, editor) && clone !== ''
    ? { editor: editor as LocalEditor, clone }
    : null;
}

/** Saves the setting; null removes the clone of the project. */
export function saveLocalEditor(
  projectId: string,
  setting: LocalEditorSetting | null,
  storage: Storage = localStorage,
): void {
  if (setting === null) {
    storage.removeItem(cloneKey(projectId));
    return;
  }
  storage.setItem(EDITOR_KEY, setting.editor);
  storage.setItem(cloneKey(projectId), setting.clone);
}
