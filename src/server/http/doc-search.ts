/** Path of the search over the documentation. */
export const DOC_SEARCH_PATH = '/docs/search';

/** Section of a document, as `web/site/doc-pages.ts` writes it at build time. */
export interface SearchableSection {
  url: string;
  title: string;
  heading: string;
  text: string;
}

const MAX_QUERY_LENGTH = 100;
const MAX_WORDS = 8;
const MAX_RESULTS = 20;
const EXCERPT_LENGTH = 180;

/** Weights of a word in the title of a document, in the heading of a section and in its text. */
const WEIGHTS = { title: 6, heading: 4, text: 1 };

/** Fills the prerendered search page with the query and the sections that contain all of its words. */
export function fillDocSearch(document: string, query: string, sections: SearchableSection[]): string {
  const text = query.trim().slice(0, MAX_QUERY_LENGTH);
  const words = (text.toLowerCase().match(/[\p{L}\p{N}_-]+/gu) ?? []).slice(0, MAX_WORDS);
  const results = words.length === 0 ? [] : findSections(words, sections);
  const list = results.map((section) => formatResult(section, words[0] ?? '')).join('');
  const isEmpty = text !== '' && results.length === 0;
  return document
    .replace(
      /(<input[^>]*name="q"[^>]*?)value=""/,
      (_whole, before: string) => `${before}value="${escapeHtml(text)}"`,
    )
    .replace(/(<ol id="results"[^>]*>)/, (opening) => opening + list)
    .replace(
      '<p id="no-results" hidden=""',
      isEmpty ? '<p id="no-results" role="status"' : '<p id="no-results" hidden=""',
    );
}

function findSections(words: string[], sections: SearchableSection[]): SearchableSection[] {
  return sections
    .map((section) => ({ section, score: scoreSection(section, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_RESULTS)
    .map(({ section }) => section);
}

/** Zero unless every word occurs. Occurrences in a text count by their logarithm. */
function scoreSection({ title, heading, text }: SearchableSection, words: string[]): number {
  const fields = { title: title.toLowerCase(), heading: heading.toLowerCase(), text: text.toLowerCase() };
  let score = 0;
  for (const word of words) {
    const count = fields.text.split(word).length - 1;
    const ofWord =
      (fields.title.includes(word) ? WEIGHTS.title : 0) +
      (fields.heading.includes(word) ? WEIGHTS.heading : 0) +
      WEIGHTS.text * Math.log2(1 + count);
    if (ofWord === 0) return 0;
    score += ofWord;
  }
  return score;
}

function formatResult({ url, title, heading, text }: SearchableSection, word: string): string {
  const name = heading === '' ? title : `${title}: ${heading}`;
  const at = text.toLowerCase().indexOf(word);
  const from = Math.max(0, at - EXCERPT_LENGTH / 3);
  const excerpt = `${from > 0 ? '…' : ''}${text.slice(from, from + EXCERPT_LENGTH)}…`;
  return `<li><a class="link" href="${escapeHtml(url)}">${escapeHtml(name)}</a><p>${escapeHtml(excerpt)}</p></li>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
