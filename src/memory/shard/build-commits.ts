import type { LogCommit } from '#git/log.ts';
import { DictionaryBuilder } from './dictionary.ts';
import { addSection, type Draft, newDraft } from './format.ts';
import { type Groups, GrowingBytes, GrowingNumbers, group } from './growing.ts';
import { IndexBuilder } from './postings.ts';
import { StringsBuilder } from './strings.ts';
import { Vocabulary } from './vocabulary.ts';

/** Longest part of a message that is kept: a 10 MB message must not become 10 MB of memory. In UTF-16 units. */
const LONGEST_MESSAGE = 64 * 1024;

/** Collects commits, newest first, for the commits file of a shard. */
export class CommitsBuilder {
  readonly #oids = new GrowingBytes();
  readonly #times: number[] = [];
  readonly #authors = new DictionaryBuilder();
  readonly #authorOf = new GrowingNumbers();
  readonly #messages = new StringsBuilder();
  readonly #parentOids = new GrowingBytes();
  readonly #parentStarts = new GrowingNumbers();
  readonly #paths = new DictionaryBuilder();
  readonly #changeStarts = new GrowingNumbers();
  readonly #changedPaths = new GrowingNumbers();
  readonly #oldPaths = new GrowingNumbers();
  readonly #changingCommits = new GrowingNumbers();
  readonly #statuses = new GrowingBytes();
  readonly #vocabulary = new Vocabulary();
  readonly #index = new IndexBuilder();
  #oidBytes = 20;

  get count(): number {
    return this.#times.length;
  }

  add(commit: LogCommit): void {
    const number = this.count;
    const oid = Buffer.from(commit.oid, 'hex');
    this.#oidBytes = oid.length;
    this.#oids.append(oid);
    this.#times.push(commit.time);
    this.#authorOf.push(this.#authors.number(`${commit.author}\n${commit.email}`));
    const message = commit.message.slice(0, LONGEST_MESSAGE);
    this.#messages.add(message);
    this.#vocabulary.read(message, [this.#index]);
    this.#index.close();
    this.#parentStarts.push(this.#parentOids.length / this.#oidBytes);
    for (const parent of commit.parents) this.#parentOids.append(Buffer.from(parent, 'hex'));
    this.#changeStarts.push(this.#changedPaths.length);
    for (const change of commit.changes) {
      const path = this.#paths.number(change.path);
      this.#changedPaths.push(path);
      this.#oldPaths.push(change.oldPath === null ? path : this.#paths.number(change.oldPath));
      this.#changingCommits.push(number);
      this.#statuses.push(change.status.charCodeAt(0));
    }
  }

  /** The finished sections; `revision` is the commit that the log began at. */
  finish(revision: string): Draft {
    const draft = newDraft();
    const { facts } = draft;
    facts.revision = revision;
    facts.oidBytes = this.#oidBytes;
    addSection(draft, 'oids', this.#oids);
    const order = sortedByOid(this.#oids.toArray(), this.#oidBytes);
    addSection(draft, 'oidOrder', order);
    addSection(draft, 'times', new Float64Array(this.#times));
    addSection(draft, 'authorOf', this.#authorOf);
    this.#authors.writeTo(draft, 'authors');
    this.#messages.writeTo(draft, 'messages');
    setGroups(draft, 'parents', this.#resolveParents(order));
    this.#paths.writeTo(draft, 'paths');
    this.#changeStarts.push(this.#changedPaths.length);
    addSection(draft, 'changes.starts', this.#changeStarts);
    addSection(draft, 'changes.paths', this.#changedPaths);
    addSection(draft, 'changes.oldPaths', this.#oldPaths);
    addSection(draft, 'changes.statuses', this.#statuses);
    setGroups(draft, 'touching', group(this.#changedPaths, this.#changingCommits, this.#paths.size));
    this.#vocabulary.writeTo(draft, 'terms');
    this.#index.writeTo(draft, 'message', this.#vocabulary.size);
    return draft;
  }

  /** Parents as commit numbers; those outside the table (a shallow history) are left out. */
  #resolveParents(order: Uint32Array): Groups {
    const [oids, parents] = [this.#oids.toArray(), this.#parentOids.toArray()];
    const [keys, values] = [new GrowingNumbers(), new GrowingNumbers()];
    this.#parentStarts.push(parents.length / this.#oidBytes);
    for (let commit = 0; commit < this.count; commit++) {
      for (let i = this.#parentStarts.at(commit); i < this.#parentStarts.at(commit + 1); i++) {
        const oid = parents.subarray(i * this.#oidBytes, (i + 1) * this.#oidBytes);
        const place = lowerBound(oids, this.#oidBytes, order, oid);
        const found = order[place];
        if (found === undefined || compareOids(oids, found * this.#oidBytes, oid, 0, oid.length) !== 0)
          continue;
        keys.push(commit);
        values.push(found);
      }
    }
    return group(keys, values, this.count);
  }
}

/** Adds groups to a draft as `<name>.starts` and `<name>.values`. */
export function setGroups(draft: Draft, name: string, groups: Groups): void {
  addSection(draft, `${name}.starts`, groups.starts);
  addSection(draft, `${name}.values`, groups.values);
}

/** Place in `order` of the first oid that is not below `wanted`, which may be shorter than a whole oid. */
export function lowerBound(oids: Uint8Array, width: number, order: Uint32Array, wanted: Uint8Array): number {
  let [low, high] = [0, order.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareOids(oids, order[middle]! * width, wanted, 0, wanted.length) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function sortedByOid(oids: Uint8Array, width: number): Uint32Array {
  const order = Uint32Array.from({ length: oids.length / width }, (_, i) => i);
  return order.sort((a, b) => compareOids(oids, a * width, oids, b * width, width));
}

function compareOids(a: Uint8Array, fromA: number, b: Uint8Array, fromB: number, bytes: number): number {
  for (let i = 0; i < bytes; i++) {
    const difference = a[fromA + i]! - b[fromB + i]!;
    if (difference !== 0) return difference;
  }
  return 0;
}
