/** Endings of files and what the editor calls their language. */
export const LANGUAGES = {
  js: 'javascript',
  jsx: /javascript|jsx/,
  ts: /typescript/,
  tsx: /typescript|tsx/,
  py: 'python',
  java: 'java',
  cpp: 'cpp',
  c: 'cpp',
  html: 'html',
  css: 'css',
  json: 'json',
  md: 'markdown',
  yml: 'yaml',
  yaml: 'yaml',
};

/** A file for each ending, and one without a language, to be saved into a project. */
export const SAMPLES = [...Object.keys(LANGUAGES), 'txt'].map((ending) => `samples/one.${ending}`);
