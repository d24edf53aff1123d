/** Editors that open a file by URL: first those that need the folder of a clone, then those that need the name of a project. */
export const LOCAL_EDITORS = [
  'vscode',
  'cursor',
  'vscodium',
  'zed',
  'idea',
  'pycharm',
  'web-storm',
  'goland',
  'rubymine',
  'php-storm',
  'rd',
  'clion',
] as const;
export type LocalEditor = (typeof LOCAL_EDITORS)[number];
