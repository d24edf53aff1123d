/** Point of the history that bounds a range; `oid` is null for a date. `time` is in seconds since 1970. */
export interface RangeEnd {
  label: string;
  oid: string | null;
  time: number;
}

/** Something of the repository that a question may be about. */
export type Entity =
  | { kind: 'file'; path: string; lines: [number, number] | null }
  /** Path of the history that the code no longer has; `renamedTo` when it was moved. */
  | { kind: 'deleted_path'; path: string; renamedTo?: string }
  | { kind: 'folder'; path: string }
  /** `name` is the full name as defined. */
  | { kind: 'symbol'; name: string; passages: number[] }
  /** Name that occurs in changes and no longer in the code. */
  | { kind: 'removed_name'; name: string }
  | { kind: 'commit'; commit: number }
  | { kind: 'version'; tag: string; oid: string; time: number }
  | { kind: 'range'; from: RangeEnd; to: RangeEnd }
  | { kind: 'person'; name: string; emails: string[] }
  /** `#123` or `GH-123`, with the commits that name it. */
  | { kind: 'issue'; number: number; commits: number[] }
  | { kind: 'dependency'; name: string; manifests: string[] };

type EntityKind = Entity['kind'];

/** Words of a question that name an entity. */
export interface Mention {
  entity: Entity;
  /** Half-open range of characters of the question. */
  span: [number, number];
  /** Certainty, 0 to 1: 1 for an exact unambiguous name. */
  score: number;
  /** Equally good entities of the same words. */
  alternatives: Entity[];
}

/** Entities of these kinds that the mentions name, in their order. */
export function entitiesOf<K extends EntityKind>(
  mentions: Mention[],
  ...kinds: K[]
): Extract<Entity, { kind: K }>[] {
  const isWanted = (entity: Entity): entity is Extract<Entity, { kind: K }> =>
    (kinds as EntityKind[]).includes(entity.kind);
  return mentions.map(({ entity }) => entity).filter(isWanted);
}
