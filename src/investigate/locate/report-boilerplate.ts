import { normalizeTemplateLine, type TemplateLines } from './issue-templates.ts';

/** Runtimes, tools and machines whose versions reports list. */
const ENVIRONMENT_NAME =
  '(?:operating system|os|platform|arch(?:itecture)?|kernel|distro|browsers?|chrome|firefox|safari|node(?:\\.?js)?|npm|yarn|pnpm|bun|deno|python|pip|go|rustc?|cargo|java|jdk|ruby|gem|php|docker|typescript|[\\w./@-]+ version|versions?)';
const ENVIRONMENT_VALUE =
  '(?:v?\\d+(?:\\.\\d+)+|\\b(?:linux|mac ?os|os ?x|windows|win\\d\\d|ubuntu|debian|alpine|centos|fedora|x86_64|amd64|arm64|latest|n/a)\\b)';
/** `- Node version: 14.2`, `**OS**: macOS 12`, `| Python | 3.8.1 |`. */
const ENVIRONMENT_LINE = new RegExp(
  `^[\\s>*+|-]*${ENVIRONMENT_NAME}(?:[ _]versions?)?[\\s*\`]*[:=|]\\s*(?:v?\\d{1,3}(?:\\.x)?\\s*$|[^\\n]{0,40}?${ENVIRONMENT_VALUE}[^\\n]{0,60}$)`,
  'i',
);
/** `lodash==4.17.0`, `lodash@4.17.0`, and `lodash 4.17.0` as package managers list them. */
const PACKAGE_LINE =
  /^[\s*│├└─-]*[\w@/.-]{2,60}(?:==|@|\s{1,40})v?\d+(?:\.\d+){1,3}[\w.+-]{0,20}(?:\s+\(?[\w./-]{0,40}\)?)?\s*$/;
const URL = /\bhttps?:\/\/[^\s<>"'`)\]]+/g;
/** Longer lines belong to no template and to no list. */
const MAX_LINE_LENGTH = 200;
/** Path of a file that a URL of a repository host shows. */
const FILE_URL = /\/(?:blob|blame|raw|tree)\/[\w.-]+\/([^?#]+)/;

/**
 * Removes what a report contains besides its subject: comments, lines of the repository's own issue templates, lists of
 * versions, and URLs; those of files of a repository become their path. The first line and the error's message stay.
 */
export function removeBoilerplate(text: string, templates: TemplateLines, message = ''): string {
  const [title = '', ...rest] = text.replace(/<!--[\s\S]*?(?:-->|$)/g, '').split('\n');
  let fenced = false;
  const kept = rest.flatMap((line) => {
    if (/^\s*(?:```|~~~)/.test(line)) fenced = !fenced;
    const words = line.trim();
    if (words !== '' && message.includes(words)) return [line];
    if (isListedVersion(line) || (!fenced && isTemplateLine(line, templates))) return [];
    return [line.replace(URL, (url) => FILE_URL.exec(url)?.[1] ?? '')];
  });
  return [title, ...kept].join('\n');
}

function isListedVersion(line: string): boolean {
  return line.length <= MAX_LINE_LENGTH && (ENVIRONMENT_LINE.test(line) || PACKAGE_LINE.test(line));
}

function isTemplateLine(line: string, templates: TemplateLines): boolean {
  return line.length <= MAX_LINE_LENGTH && templates.has(normalizeTemplateLine(line));
}
