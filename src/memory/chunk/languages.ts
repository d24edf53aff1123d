import { extname, posix } from 'node:path';

/** Languages with a grammar, whose files are chunked along the syntax tree. */
export const GRAMMAR_LANGUAGES = [
  'c',
  'cpp',
  'csharp',
  'css',
  'dart',
  'go',
  'java',
  'javascript',
  'php',
  'python',
  'ruby',
  'rust',
  'solidity',
  'tsx',
  'typescript',
] as const;
export type GrammarLanguage = (typeof GRAMMAR_LANGUAGES)[number];

const EXTENSIONS: Record<string, string> = {
  c: '.c .h',
  cpp: '.cc .cpp .cxx .c++ .hh .hpp .hxx .h++ .ipp .tpp .inl',
  csharp: '.cs .csx',
  css: '.css',
  dart: '.dart',
  go: '.go',
  java: '.java',
  javascript: '.js .jsx .mjs .cjs',
  php: '.php .phtml .php5 .phpt',
  python: '.py .pyi .pyw .wsgi',
  ruby: '.rb .rake .gemspec .ru .podspec',
  rust: '.rs',
  solidity: '.sol',
  tsx: '.tsx',
  typescript: '.ts .mts .cts',
  asciidoc: '.adoc .asciidoc .asc',
  clojure: '.clj .cljs .cljc .edn',
  elixir: '.ex .exs',
  erlang: '.erl .hrl',
  fsharp: '.fs .fsx .fsi',
  gettext: '.po .pot',
  graphql: '.graphql .gql',
  groovy: '.groovy .gradle',
  haskell: '.hs .lhs',
  html: '.html .htm .xhtml .ejs .hbs .mustache .njk .erb .twig',
  ini: '.ini .cfg .conf .properties .editorconfig',
  json: '.json .jsonc .json5 .webmanifest .geojson',
  julia: '.jl',
  kotlin: '.kt .kts',
  lisp: '.el .lisp .scm .rkt',
  lua: '.lua',
  make: '.mk .mak .make',
  markdown: '.md .markdown .mdx .mkd',
  nix: '.nix',
  objc: '.m .mm',
  ocaml: '.ml .mli',
  perl: '.pl .pm .t .perl',
  powershell: '.ps1 .psm1 .psd1',
  proto: '.proto',
  r: '.r',
  restructuredtext: '.rst .rest',
  scala: '.scala .sc .sbt',
  scss: '.scss .sass .less',
  shell: '.sh .bash .zsh .ksh .fish .bats',
  sql: '.sql',
  svelte: '.svelte',
  swift: '.swift',
  tcl: '.tcl',
  tex: '.tex .sty .bib',
  text: '.txt .text',
  toml: '.toml',
  vue: '.vue',
  xml: '.xml .xsd .xsl .svg .plist .csproj .vcxproj .props .targets',
  yaml: '.yml .yaml',
  zig: '.zig',
};

const FILE_NAMES: Record<string, string> = {
  ruby: 'rakefile gemfile guardfile podfile vagrantfile capfile brewfile',
  make: 'makefile gnumakefile kbuild',
  docker: 'dockerfile containerfile',
  cmake: 'cmakelists.txt',
  python: 'sconstruct sconscript wscript',
  groovy: 'jenkinsfile',
  text: 'readme license licence copying authors contributors changelog changes news todo install notice',
};

/** Program of a `#!` line, without its version. */
const INTERPRETERS: Record<string, string> = {
  javascript: 'node nodejs bun',
  typescript: 'deno ts-node tsx',
  php: 'php',
  python: 'python pypy',
  ruby: 'ruby jruby',
  perl: 'perl',
  shell: 'sh bash zsh dash ksh',
};

/** Languages whose whole text is prose. */
const PROSE = new Set(['asciidoc', 'gettext', 'markdown', 'restructuredtext', 'tex', 'text']);

/** Languages of data, texts on screen and layout rather than of programs. */
const DATA = new Set([
  ...['css', 'gettext', 'graphql', 'html', 'ini', 'json', 'proto', 'scss', 'sql', 'toml', 'xml', 'yaml'],
]);

const byExtension = invert(EXTENSIONS);
const byFileName = invert(FILE_NAMES);
const byInterpreter = invert(INTERPRETERS);

function invert(names: Record<string, string>): Map<string, string> {
  const entries = Object.entries(names).flatMap(([language, list]) =>
    list.split(' ').map((name) => [name, language] as const),
  );
  return new Map(entries);
}

/** Detects the language of a file by its name, otherwise by its first line. `text` when unknown. */
export function detectLanguage(path: string, text: string): string {
  const name = posix.basename(path).toLowerCase();
  const extension = extname(name);
  const known = byFileName.get(name) ?? byExtension.get(extension) ?? byFileName.get(name.split('.')[0]!);
  // A `.h` file may be C or C++; these words occur in C++ only.
  if (extension === '.h' && /^[^\S\n]*(?:class \w|namespace \w|template ?<|public:|private:)/m.test(text))
    return 'cpp';
  if (known) return known;
  const interpreter = /^#! *(?:\S*\/)?([^/\s]+)(?: +(?:-S +)?([^\s-]\S*))?/.exec(text.slice(0, 200));
  const program = interpreter?.[1] === 'env' ? interpreter[2] : interpreter?.[1];
  return byInterpreter.get(program?.replace(/[\d.]+$/, '') ?? '') ?? 'text';
}

/** True for languages whose files are prose and not code. */
export function isProse(language: string): boolean {
  return PROSE.has(language);
}

/** True for a path whose name says that it is a program, not data or prose. */
export function isProgram(path: string): boolean {
  const language = detectLanguage(path, '');
  return !PROSE.has(language) && !DATA.has(language);
}

/** True for languages with a grammar. */
export function hasGrammar(language: string): language is GrammarLanguage {
  return (GRAMMAR_LANGUAGES as readonly string[]).includes(language);
}

/** Detects the language of a file; null when it has no grammar. */
export function detectGrammar(path: string, text: string): GrammarLanguage | null {
  const language = detectLanguage(path, text);
  return hasGrammar(language) ? language : null;
}
