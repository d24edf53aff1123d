import { type LanguageSupport, StreamLanguage, type StreamParser } from '@codemirror/language';
import type { Extension } from '@codemirror/state';

type Load = () => Promise<Extension>;

const script = (options: { jsx?: boolean; typescript?: boolean }) => () =>
  import('@codemirror/lang-javascript').then(({ javascript }) => javascript(options));
const css = () => import('@codemirror/lang-css').then((module): LanguageSupport => module.css());
const html = () => import('@codemirror/lang-html').then((module): LanguageSupport => module.html());
const cpp = () => import('@codemirror/lang-cpp').then((module): LanguageSupport => module.cpp());
const xml = () => import('@codemirror/lang-xml').then((module): LanguageSupport => module.xml());
const legacyMode = (load: () => Promise<StreamParser<unknown>>) => async () =>
  StreamLanguage.define(await load());
const clike = (name: 'csharp' | 'kotlin' | 'scala') =>
  legacyMode(() => import('@codemirror/legacy-modes/mode/clike').then((modes) => modes[name]));
const shell = legacyMode(() => import('@codemirror/legacy-modes/mode/shell').then((modes) => modes.shell));
const ruby = legacyMode(() => import('@codemirror/legacy-modes/mode/ruby').then((modes) => modes.ruby));

/** File extensions and the loader of their language; each is loaded on first use. */
const LANGUAGE_LOADERS: [endings: string, load: Load][] = [
  ['js mjs cjs jsx', script({ jsx: true })],
  ['ts mts cts', script({ typescript: true })],
  ['tsx', script({ typescript: true, jsx: true })],
  ['py pyi', () => import('@codemirror/lang-python').then(({ python }) => python())],
  ['java', () => import('@codemirror/lang-java').then(({ java }) => java())],
  ['cpp cc cxx c h hpp hh', cpp],
  ['html htm', html],
  ['css', css],
  ['json jsonc webmanifest', () => import('@codemirror/lang-json').then(({ json }) => json())],
  ['md markdown', () => import('@codemirror/lang-markdown').then(({ markdown }) => markdown())],
  ['yml yaml', () => import('@codemirror/lang-yaml').then(({ yaml }) => yaml())],
  ['go', () => import('@codemirror/lang-go').then(({ go }) => go())],
  ['php', () => import('@codemirror/lang-php').then(({ php }) => php())],
  ['rs', () => import('@codemirror/lang-rust').then(({ rust }) => rust())],
  ['sql', () => import('@codemirror/lang-sql').then(({ sql }) => sql())],
  ['xml svg xsd xsl plist', xml],
  ['sh bash zsh', shell],
  ['rb rake gemspec', ruby],
  ['cs', clike('csharp')],
  ['kt kts', clike('kotlin')],
  ['scala', clike('scala')],
  ['toml', legacyMode(() => import('@codemirror/legacy-modes/mode/toml').then((modes) => modes.toml))],
  ['swift', legacyMode(() => import('@codemirror/legacy-modes/mode/swift').then((modes) => modes.swift))],
  ['lua', legacyMode(() => import('@codemirror/legacy-modes/mode/lua').then((modes) => modes.lua))],
  ['pl pm', legacyMode(() => import('@codemirror/legacy-modes/mode/perl').then((modes) => modes.perl))],
  ['r', legacyMode(() => import('@codemirror/legacy-modes/mode/r').then((modes) => modes.r))],
];

const loaderByExtension = new Map(
  LANGUAGE_LOADERS.flatMap(([endings, load]) => endings.split(' ').map((one) => [one, load])),
);

/** Loads the language of a file by its extension; null for plain text. */
export function loadEditorLanguage(path: string): Promise<Extension> | null {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  return loaderByExtension.get(name.slice(name.lastIndexOf('.') + 1))?.() ?? null;
}
