import type { Coupling } from '#contract/evolution.ts';
import { useTranslation } from '../i18n.ts';
import { BarRows } from './bar-rows.tsx';
import { ChartSection } from './chart-section.tsx';
import type { DataColumn } from './data-table.tsx';
import { useFormats } from './format.ts';
import { CommitLink, FileLink } from './links.tsx';

type Pair = Coupling['pairs'][number];

const MAX_ROWS = 12;

/** Pairs of files that change together. */
export function CouplingSection({ projectId, coupling }: { projectId: string; coupling: Coupling }) {
  const { t } = useTranslation('evolution');
  const format = useFormats();
  const { pairs } = coupling;
  const first = pairs[0];
  const surprising = pairs.filter((pair) => pair.surprising).length;
  const columns: DataColumn<Pair>[] = [
    { label: t('file'), value: ({ a }) => a, cell: ({ a }) => <FileLink projectId={projectId} path={a} /> },
    {
      label: t('coupling.other'),
      value: ({ b }) => b,
      cell: ({ b }) => <FileLink projectId={projectId} path={b} />,
    },
    { label: t('coupling.together'), value: ({ together }) => together, numeric: true },
    {
      label: t('coupling.degree'),
      value: (pair) => Math.round(degreeOf(pair) * 1000) / 1000,
      cell: (pair) => format.percent(degreeOf(pair)),
      numeric: true,
    },
    { label: t('coupling.surprising'), value: (pair) => t(pair.surprising ? 'yes' : 'no') },
    {
      label: t('last_commit'),
      value: ({ last_commit: hash }) => hash,
      cell: ({ last_commit: hash }) => <CommitLink projectId={projectId} hash={hash} />,
    },
  ];
  const rows = pairs.slice(0, MAX_ROWS).map((pair) => ({
    key: `${pair.a}\n${pair.b}`,
    label: (
      <span className="flex min-w-0 flex-col">
        <span className="truncate">
          <FileLink projectId={projectId} path={pair.a} />
        </span>
        <span className="truncate">
          <FileLink projectId={projectId} path={pair.b} />
        </span>
      </span>
    ),
    value: degreeOf(pair),
    text: t('coupling.of', {
      share: format.percent(degreeOf(pair)),
      commits: t('count.commits', { count: pair.together }),
    }),
    faded: !pair.surprising,
    note: (
      <>
        {pair.surprising && `${t('coupling.mark')} · `}
        <CommitLink projectId={projectId} hash={pair.last_commit} />
      </>
    ),
  }));
  const sentence =
    first &&
    t(surprising > 0 ? 'coupling.sentence' : 'coupling.expected', {
      count: surprising,
      a: first.a,
      b: first.b,
      together: t('count.commits', { count: first.together }),
    });
  return (
    <ChartSection id="coupling" sentence={sentence} columns={columns} rows={pairs}>
      <BarRows rows={rows} max={1} />
    </ChartSection>
  );
}

/** Common changes ÷ mean of the changes of both. */
const degreeOf = ({ together, changes_a: a, changes_b: b }: Pair) => (2 * together) / (a + b);
