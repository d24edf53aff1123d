/**
 * Measures the grouping of error events: `npm run bench:groups` computes the fingerprints of the labelled events in
 * `bench/groups/events.jsonl`, or in `--data FILE`, and compares the groups with the labels. With `--wrong` it lists what is in
 * a wrong group.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { eventFingerprint } from '../src/intake/fingerprint.ts';
import { parseSentryEvent } from '../src/intake/sentry-event.ts';

interface LabelledEvent {
  project: string;
  platform: string;
  group: string;
  event: { event_id: string };
}

interface GroupedEvent extends LabelledEvent {
  /** Project and fingerprint. */
  predicted: string;
}

const { values: options } = parseArgs({ options: { data: { type: 'string' }, wrong: { type: 'boolean' } } });
const lines = readFileSync(options.data ?? new URL('./groups/events.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n');
const events = lines.map((line) => groupEvent(JSON.parse(line) as LabelledEvent));

function groupEvent(labelled: LabelledEvent): GroupedEvent {
  const event = parseSentryEvent(Buffer.from(JSON.stringify(labelled.event)), { receivedAt: new Date() });
  return { ...labelled, predicted: `${labelled.project} ${event ? eventFingerprint(event) : 'none'}` };
}

const byLabel = Map.groupBy(events, ({ group }) => group);
const byPrediction = Map.groupBy(events, ({ predicted }) => predicted);

/** The most frequent value, the first of several. */
function mainValue(list: readonly GroupedEvent[], field: 'group' | 'predicted'): string {
  const counts = Map.groupBy(list, (one) => one[field]);
  return [...counts].sort((a, b) => b[1].length - a[1].length)[0]![0];
}

/** True when most of an event's group have its label, and most events of its label are in this group. */
function isRight({ group, predicted }: GroupedEvent): boolean {
  return (
    mainValue(byPrediction.get(predicted)!, 'group') === group &&
    mainValue(byLabel.get(group)!, 'predicted') === predicted
  );
}

const average = (of: (event: GroupedEvent) => number, list = events) =>
  list.reduce((sum, event) => sum + of(event), 0) / list.length;
const together = (event: GroupedEvent) =>
  byPrediction.get(event.predicted)!.filter(({ group }) => group === event.group).length;
const precision = average((event) => together(event) / byPrediction.get(event.predicted)!.length);
const recall = average((event) => together(event) / byLabel.get(event.group)!.length);

/** Share of the pairs of a project that are together or apart as their labels are. */
function pairwiseShare(): number {
  let pairs = 0;
  let right = 0;
  for (const list of Map.groupBy(events, ({ project }) => project).values()) {
    for (const [index, a] of list.entries()) {
      for (const b of list.slice(index + 1)) {
        pairs++;
        if ((a.group === b.group) === (a.predicted === b.predicted)) right++;
      }
    }
  }
  return right / pairs;
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
const right = events.filter(isRight);
console.log(`| ${events.length} events, ${byLabel.size} labels, ${byPrediction.size} groups | |\n|---|---|`);
console.log(`| events in the right group | ${percent(right.length / events.length)} (${right.length}) |`);
console.log(`| B-cubed precision | ${percent(precision)} |\n| B-cubed recall | ${percent(recall)} |`);
console.log(`| pairs together or apart as labelled | ${percent(pairwiseShare())} |`);
console.log('\n| platform | events | right |\n|---|---|---|');
for (const [platform, list] of Map.groupBy(events, (event) => event.platform)) {
  console.log(`| ${platform} | ${list.length} | ${percent(list.filter(isRight).length / list.length)} |`);
}
if (options.wrong) {
  for (const event of events.filter((one) => !isRight(one))) {
    const together = byPrediction.get(event.predicted)!.filter(({ group }) => group !== event.group);
    const names = [...new Set(together.map(({ group }) => group))].join(', ');
    console.log(
      `${event.event.event_id} ${event.platform} ${event.group}${names && ` (together with ${names})`}`,
    );
  }
}
