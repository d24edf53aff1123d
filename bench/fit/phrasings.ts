import { readFileSync } from 'node:fs';
import type { Entity, Mention, RangeEnd } from '../../src/assistant/chat/understand/entities.ts';
import type { Intent } from '../../src/assistant/chat/understand/reading.ts';

/** A question about no repository, with made-up names in the places of its mentions. */
interface Phrasing {
  intent: Intent;
  /** Stands for a repository where words must come from several of them. */
  group: string;
  text: string;
  mentions: Mention[];
  projects: ReadonlySet<string>;
}

const GROUPS = 8;
const MENTION_SCORE = 0.95;
const PROJECT = 'acme';
const end = (label: string, oid: string | null): RangeEnd => ({ label, oid, time: 0 });
const commit = { kind: 'commit', commit: 0 } as const;

/** Text and entity of each kind of placeholder. */
const SAMPLES: Record<string, { text: string; entity: Entity }> = {
  symbol: { text: 'parseHeader', entity: { kind: 'symbol', name: 'parseHeader', passages: [] } },
  file: { text: 'lib/parser.c', entity: { kind: 'file', path: 'lib/parser.c', lines: null } },
  folder: { text: 'lib/http', entity: { kind: 'folder', path: 'lib/http' } },
  dependency: { text: 'left-pad', entity: { kind: 'dependency', name: 'left-pad', manifests: [] } },
  deleted_path: { text: 'lib/old.c', entity: { kind: 'deleted_path', path: 'lib/old.c' } },
  removed_name: { text: 'oldParser', entity: { kind: 'removed_name', name: 'oldParser' } },
  commit: { text: '1a2b3c4', entity: commit },
  issue: { text: '#123', entity: { kind: 'issue', number: 123, commits: [] } },
  person: { text: 'Ada Byron', entity: { kind: 'person', name: 'Ada Byron', emails: [] } },
  version: { text: '2.1.0', entity: { kind: 'version', tag: 'v2.1.0', oid: '', time: 0 } },
  range: {
    text: '2.1.0 and 2.2.0',
    entity: { kind: 'range', from: end('v2.1.0', ''), to: end('v2.2.0', '') },
  },
  period: { text: '2023', entity: { kind: 'range', from: end('', null), to: end('', null) } },
};

/** Reads `phrasings.tsv`: an intent and a question a line, `{symbol}` and others in place of names, `{project}` for the project. */
export function readPhrasings(): Phrasing[] {
  const lines = readFileSync(new URL('./phrasings.tsv', import.meta.url), 'utf8')
    .trim()
    .split('\n');
  return lines.slice(1).map((line, number) => {
    const [intent = '', phrasing = ''] = line.split('\t');
    return { intent: intent as Intent, group: `phrasings-${number % GROUPS}`, ...fillIn(phrasing) };
  });
}

function fillIn(phrasing: string): Pick<Phrasing, 'text' | 'mentions' | 'projects'> {
  const mentions: Mention[] = [];
  let text = '';
  for (const part of phrasing.split(/(\{\w+\})/)) {
    const sample = SAMPLES[part.slice(1, -1)];
    const from = text.length;
    text += part === '{project}' ? PROJECT : (sample?.text ?? part);
    if (sample && part.startsWith('{'))
      mentions.push({
        entity: sample.entity,
        span: [from, text.length],
        score: MENTION_SCORE,
        alternatives: [],
      });
  }
  return { text, mentions, projects: new Set([PROJECT]) };
}
