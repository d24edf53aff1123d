import { LANGUAGES, type Language } from '#locales/languages.ts';
import { extractTitle } from './prose-page.tsx';
import { DOC_NAMES, type DocName } from './site-paths.ts';

const DOCS = import.meta.glob<string>('../../../docs/{*,de/*,es/*,fr/*}.md', {
  eager: true,
  query: '?raw',
  import: 'default',
});

/** Text of a document, in the language in which it exists. */
interface Doc {
  name: DocName;
  title: string;
  text: string;
  language: Language;
}

/** One searchable section of a document. */
interface DocSection {
  url: string;
  title: string;
  heading: string;
  text: string;
}

/** File of a document below `docs`; `contents` is the list of all documents. */
function fileOf(name: DocName): string {
  return name === 'contents' ? 'README' : name;
}

/** Loads a document in a language, or in English where it is not translated. */
export function loadDoc(name: DocName, language: Language): Doc {
  const translated = DOCS[`../../../docs/${language}/${fileOf(name)}.md`];
  const text = translated ?? DOCS[`../../../docs/${fileOf(name)}.md`];
  if (text === undefined) throw new Error(`docs/${fileOf(name)}.md is missing`);
  return { name, title: extractTitle(text), text, language: translated === undefined ? 'en' : language };
}

/** Path at which a link of a document leads; null for files that are not served. */
export function resolveDocLink(href: string): string | null {
  if (/^(?:https?:|\/|#)/.test(href)) return href;
  const [, file = '', fragment = ''] = /^(?:\.\.\/)?(?:docs\/)?([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  if (file === 'README') return href.startsWith('../') ? null : `/docs/contents${fragment}`;
  return (DOC_NAMES as readonly string[]).includes(file) ? `/docs/${file}${fragment}` : null;
}

/** Path at which a picture of `docs/pictures` is served: the build copies them there. */
export function resolveDocPicture(src: string): string {
  return src.replace(/^(?:\.\.\/)?pictures\//, '/pictures/');
}

/** Fragment of a heading, as GitHub makes it. */
export function toSlug(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
}

/** Sections of all documents by language, for the search of the server. */
export function listDocSections(): Record<string, DocSection[]> {
  return Object.fromEntries(
    LANGUAGES.map((language) => [
      language,
      DOC_NAMES.filter((name) => name !== 'contents').flatMap((name) =>
        splitSections(loadDoc(name, language)),
      ),
    ]),
  );
}

function splitSections({ name, title, text }: Doc): DocSection[] {
  const parts = text.split(/^#{1,3} (.+)$/m);
  return Array.from({ length: (parts.length - 1) / 2 }, (_, index) => {
    const heading = parts[2 * index + 1]!.replaceAll('`', '');
    const body = parts[2 * index + 2]!.replace(/!\[[^\]]*\]\([^)]*\)/g, '')
      .replace(/\]\([^)]*\)/g, '')
      .replace(/[`*[\]|]|-{3,}|^[#>]+/gm, ' ')
      .replace(/\s+/g, ' ')
      .trim();
    const fragment = index === 0 ? '' : `#${toSlug(heading)}`;
    return { url: `/docs/${name}${fragment}`, title, heading: index === 0 ? '' : heading, text: body };
  });
}
