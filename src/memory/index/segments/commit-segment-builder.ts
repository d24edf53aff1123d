import type { LogCommit } from '#git/log.ts';
import { ChunkedUint8Array, ChunkedUint32Array } from '../../bytes/chunked-arrays.ts';
import { DictionaryBuilder } from '../../bytes/dictionary.ts';
import { addGroups, groupByKey } from '../../bytes/groups.ts';
import { findOid, sortOids } from '../../bytes/oids.ts';
import { addSection, createDraft, type SectionDraft } from '../../bytes/sections.ts';
import { StringListBuilder } from '../../bytes/string-list.ts';
import { PostingsBuilder } from './postings-builder.ts';
import { Vocabulary } from './vocabulary.ts';

/** Parents from this number on are not in the segment: the rest is their index in `outside.oids`. */
export const EXTERNAL_PARENT = 0x80000000;
const MAX_UINT32 = 2 ** 32 - 1;

/** Collects commits, newest first, for a commit segment. */
export class CommitSegmentBuilder {
  readonly #oids = new ChunkedUint8Array();
  readonly #times: number[] = [];
  /** Committer times in seconds since 1970, which order the history; 0 for earlier and invalid dates. */
  readonly #committed = new ChunkedUint32Array();
  readonly #authors = new DictionaryBuilder();
  readonly #authorOf = new ChunkedUint32Array();
  readonly #messages = new StringListBuilder();
  readonly #parentOids = new ChunkedUint8Array();
  readonly #parentStarts = new ChunkedUint32Array();
  readonly #paths = new DictionaryBuilder();
  readonly #changeStarts = new ChunkedUint32Array();
  readonly #changedPaths = new ChunkedUint32Array();
  readonly #oldPaths = new ChunkedUint32Array();
  readonly #changingCommits = new ChunkedUint32Array();
  readonly #statuses = new ChunkedUint8Array();
  /** Commits of which some changes are not stored, and how many of each. */
  readonly #omittingCommits = new ChunkedUint32Array();
  readonly #omitted = new ChunkedUint32Array();
  #omittedChanges = 0;
  readonly #vocabulary = new Vocabulary();
  readonly #words = new PostingsBuilder(1);
  #oidBytes = 20;

  get count(): number {
    return this.#times.length;
  }

  /** Changes of the added commits that are not stored. */
  get omittedChanges(): number {
    return this.#omittedChanges;
  }

  /** Bytes of memory: about the size of the segment. */
  get allocatedBytes(): number {
    const columns = [
      ...[this.#oids, this.#committed, this.#authors, this.#authorOf, this.#messages, this.#parentOids],
      ...[this.#parentStarts, this.#paths, this.#changeStarts, this.#changedPaths, this.#oldPaths],
      ...[
        this.#changingCommits,
        this.#statuses,
        this.#omittingCommits,
        this.#omitted,
        this.#vocabulary.terms,
      ],
      this.#words,
    ];
    return columns.reduce((sum, { allocatedBytes: heldBytes }) => sum + heldBytes, 0);
  }

  add(commit: LogCommit): void {
    const number = this.count;
    const oid = Buffer.from(commit.oid, 'hex');
    this.#oidBytes = oid.length;
    this.#oids.append(oid);
    this.#times.push(commit.time);
    this.#committed.push(Math.min(Math.max(commit.committed || 0, 0), MAX_UINT32));
    this.#authorOf.push(this.#authors.number(`${commit.author}\n${commit.email}`));
    this.#messages.add(commit.message);
    this.#vocabulary.addText(commit.message, this.#words, 0);
    this.#words.endDocument();
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
    const omitted = commit.changeCount - commit.changes.length;
    if (omitted === 0) return;
    this.#omittingCommits.push(number);
    this.#omitted.push(omitted);
    this.#omittedChanges += omitted;
  }

  /** Completes the sections; `tips` are the commits that the log started from. */
  async finish(tips: readonly string[], signal?: AbortSignal): Promise<SectionDraft> {
    const draft = createDraft();
    draft.facts.tips = [...tips];
    draft.facts.oidBytes = this.#oidBytes;
    const oids = this.#oids.toArray();
    const order = sortOids(oids, this.#oidBytes);
    addSection(draft, 'oids', oids);
    addSection(draft, 'oidOrder', order);
    addSection(draft, 'times', new Float64Array(this.#times));
    addSection(draft, 'committed', this.#committed);
    addSection(draft, 'authorOf', this.#authorOf);
    this.#authors.writeTo(draft, 'authors');
    this.#messages.writeTo(draft, 'messages');
    this.#writeParents(draft, oids, order);
    this.#paths.writeTo(draft, 'paths');
    this.#changeStarts.push(this.#changedPaths.length);
    addSection(draft, 'changes.starts', this.#changeStarts);
    addSection(draft, 'changes.paths', this.#changedPaths);
    addSection(draft, 'changes.oldPaths', this.#oldPaths);
    addSection(draft, 'changes.statuses', this.#statuses);
    addSection(draft, 'omitted.commits', this.#omittingCommits);
    addSection(draft, 'omitted.counts', this.#omitted);
    draft.facts.omittedChanges = this.#omittedChanges;
    addGroups(draft, 'touching', groupByKey(this.#changedPaths, this.#changingCommits, this.#paths.size));
    await this.#words.writeTo(draft, 'messages', this.#vocabulary.terms, signal);
    return draft;
  }

  /** Writes parents as numbers of this segment or of `outside.oids`: in an older segment, or cut off (a shallow history). */
  #writeParents(draft: SectionDraft, oids: Uint8Array, order: Uint32Array): void {
    const width = this.#oidBytes;
    const wanted = this.#parentOids.toArray();
    const parents = new Uint32Array(wanted.length / width);
    const outside = new ChunkedUint8Array();
    for (let i = 0; i < parents.length; i++) {
      const oid = wanted.subarray(i * width, (i + 1) * width);
      const found = findOid(oids, width, order, oid);
      parents[i] = found === -1 ? EXTERNAL_PARENT + outside.length / width : found;
      if (found === -1) outside.append(oid);
    }
    this.#parentStarts.push(parents.length);
    addSection(draft, 'parents.starts', this.#parentStarts);
    addSection(draft, 'parents.values', parents);
    addSection(draft, 'outside.oids', outside);
  }
}
