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
const clike = (name: 'csharp' | 'kotlin' | 'scala' | 'dart' | 'objectiveC') =>
  legacyMode(() => import('@codemirror/legacy-modes/mode/clike').then((modes) => modes[name]));
const shell = legacyMode(() => import('@codemirror/legacy-modes/mode/shell').then((modes) => modes.shell));
const ruby = legacyMode(() => import('@codemirror/legacy-modes/mode/ruby').then((modes) => modes.ruby));

/** File extensions, names of fenced blocks, and the loader of their language; each is loaded on first use. */
const LANGUAGE_LOADERS: [endings: string, load: Load][] = [
  ['js mjs cjs jsx javascript node', script({ jsx: true })],
  ['ts mts cts typescript', script({ typescript: true })],
  ['tsx', script({ typescript: true, jsx: true })],
  ['py pyi python python3', () => import('@codemirror/lang-python').then(({ python }) => python())],
  ['java', () => import('@codemirror/lang-java').then(({ java }) => java())],
  ['cpp cc cxx c h hpp hh hxx ino c++', cpp],
  ['html htm erb vue svelte', html],
  ['css scss', css],
  ['json jsonc webmanifest', () => import('@codemirror/lang-json').then(({ json }) => json())],
  ['md markdown', () => import('@codemirror/lang-markdown').then(({ markdown }) => markdown())],
  ['yml yaml', () => import('@codemirror/lang-yaml').then(({ yaml }) => yaml())],
  ['go golang', () => import('@codemirror/lang-go').then(({ go }) => go())],
  ['php', () => import('@codemirror/lang-php').then(({ php }) => php())],
  ['rs rust', () => import('@codemirror/lang-rust').then(({ rust }) => rust())],
  ['sql', () => import('@codemirror/lang-sql').then(({ sql }) => sql())],
  ['xml svg xsd xsl plist', xml],
  ['sh bash zsh shell console', shell],
  ['rb rake gemspec ru ruby rakefile gemfile', ruby],
  ['cs csharp', clike('csharp')],
  ['kt kts kotlin', clike('kotlin')],
  ['scala sc', clike('scala')],
  ['dart', clike('dart')],
  ['m mm', clike('objectiveC')],
  [
    'dockerfile',
    legacyMode(() => import('@codemirror/legacy-modes/mode/dockerfile').then((modes) => modes.dockerFile)),
  ],
  [
    'ini properties cfg conf',
    legacyMode(() => import('@codemirror/legacy-modes/mode/properties').then((modes) => modes.properties)),
  ],
  [
    'ps1',
    legacyMode(() => import('@codemirror/legacy-modes/mode/powershell').then((modes) => modes.powerShell)),
  ],
  ['hs', legacyMode(() => import('@codemirror/legacy-modes/mode/haskell').then((modes) => modes.haskell))],
  [
    'clj cljs edn',
    legacyMode(() => import('@codemirror/legacy-modes/mode/clojure').then((modes) => modes.clojure)),
  ],
  ['erl hrl', legacyMode(() => import('@codemirror/legacy-modes/mode/erlang').then((modes) => modes.erlang))],
  [
    'groovy gradle',
    legacyMode(() => import('@codemirror/legacy-modes/mode/groovy').then((modes) => modes.groovy)),
  ],
  [
    'proto',
    legacyMode(() => import('@codemirror/legacy-modes/mode/protobuf').then((modes) => modes.protobuf)),
  ],
  ['cmake', legacyMode(() => import('@codemirror/legacy-modes/mode/cmake').then((modes) => modes.cmake))],
  ['jl', legacyMode(() => import('@codemirror/legacy-modes/mode/julia').then((modes) => modes.julia))],
  ['toml', legacyMode(() => import('@codemirror/legacy-modes/mode/toml').then((modes) => modes.toml))],
  ['swift', legacyMode(() => import('@codemirror/legacy-modes/mode/swift').then((modes) => modes.swift))],
  ['lua', legacyMode(() => import('@codemirror/legacy-modes/mode/lua').then((modes) => modes.lua))],
  ['pl pm', legacyMode(() => import('@codemirror/legacy-modes/mode/perl').then((modes) => modes.perl))],
  ['r', legacyMode(() => import('@codemirror/legacy-modes/mode/r').then((modes) => modes.r))],
];

const loaderByExtension = new Map(
  LANGUAGE_LOADERS.flatMap(([endings, load]) => endings.split(' ').map((one) => [one, load])),
);

/** Loads the language of a file by its extension or name; null for plain text. */
export function loadCodeLanguage(path: string): Promise<Extension> | null {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  return loaderByExtension.get(name.slice(name.lastIndexOf('.') + 1))?.() ?? null;
}
