import type { DocSection } from '../evidence/doc-sections.ts';

/** A command that a document shows. */
interface DocCommand {
  command: string;
  section: DocSection;
  /** Line of the document, from 1. */
  line: number;
  /** The command's row and the one before it. */
  context: string;
}

/** Programs that build, test and release, and scripts of the repository. */
const RUNNERS =
  'make|gmake|cmake|ctest|ninja|meson|npm|npx|yarn|pnpm|bun|deno|node|cargo|rustup|cross|go|mage|mvn|gradle|sbt|bazel|python3?|pip3?|pipx|pytest|tox|nox|hatch|uv|pdm|poetry|pre-commit|twine|bundle|rake|rspec|ruby|gem|composer|php|phpunit|dotnet|swift|docker|podman|just|task|bash|sh|git|apt(?:-get)?|brew|dnf|autoreconf';
const PATHS = String.raw`\.{1,2}/(?:[\w.-]+/)*[\w.-]+|(?:script|scripts|bin|tools|vendor/bin|node_modules/\.bin)/[\w./-]+`;
const COMMAND = new RegExp(
  `^(?:[A-Z_]+=\\S+\\s+)*(?:sudo\\s+)?(?:(?:${RUNNERS})(?=\\s)|(?:${PATHS})(?=\\s|$))`,
);
const PROMPT = /^\s*(?:[$%>#]\s+|\(\w+\)\s*\$\s+)?/;
const INLINE = /`{1,2}([^`\n]{3,160})`{1,2}/g;
const MAX_LENGTH = 160;

/** Commands of a section: rows of code blocks and code within sentences. */
export function commandsOf(section: DocSection): DocCommand[] {
  let isFenced = false;
  return section.lines.flatMap((row, at) => {
    if (/^\s*(?:```|~~~)/.test(row)) isFenced = !isFenced;
    const isBlock = isFenced || /^(?: {2,}|\t)\S/.test(row) || /^\s*\$\s/.test(row);
    const texts = isBlock
      ? [row.replace(PROMPT, '').trim()]
      : Array.from(row.matchAll(INLINE), ([, text]) => text!.trim());
    const context = `${section.lines[at - 1] ?? ''}\n${row}`;
    return texts
      .filter((text) => text.length <= MAX_LENGTH && COMMAND.test(text))
      .map((command) => ({ command, section, line: section.from + at, context }));
  });
}
