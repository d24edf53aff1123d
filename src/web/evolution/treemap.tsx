import { hierarchy, Treemap, treemapSquarify } from '@visx/hierarchy';
import { useId } from 'react';
import { useNavigate } from 'react-router';
import { useTranslation } from '../i18n.ts';
import { useMarks } from '../parts/use-marks.ts';
import { useWidth } from './use-width.ts';

/** A file as a rectangle. */
interface TreemapFile {
  path: string;
  /** Area. */
  size: number;
  /** Strength of the color: the largest of all is the strongest. */
  heat: number;
  /** Tooltip of a file. */
  description: string;
  url: string;
}

interface TreeNode {
  name: string;
  file?: TreemapFile;
  children?: TreeNode[];
}

const CHAR_PX = 6.6;

/** Files as rectangles, grouped by folder. The one under the pointer or the keyboard is described below; Enter opens it. */
export function FileTreemap({ label, files }: { label: string; files: readonly TreemapFile[] }) {
  const { t } = useTranslation('evolution');
  const navigate = useNavigate();
  const [ref, width] = useWidth();
  const descriptionId = useId();
  const { active, setActive, chartProps } = useMarks(
    files.length,
    (index) => void navigate(files[index]!.url),
  );
  const height = width < 600 ? 320 : 380;
  const root = hierarchy<TreeNode>(groupByFolder(files)).sum(({ file }) => file?.size ?? 0);
  const max = Math.max(1, ...files.map(({ heat }) => heat));
  return (
    <figure ref={ref} className="w-full">
      {width > 0 && (
        <svg
          role="application"
          aria-label={`${label}. ${t('keys')}`}
          aria-describedby={descriptionId}
          width={width}
          height={height}
          className="block rounded-md"
          {...chartProps}
        >
          <Treemap<TreeNode>
            root={root.sort((a, b) => (b.value ?? 0) - (a.value ?? 0))}
            size={[width, height]}
            tile={treemapSquarify}
            paddingInner={2}
            paddingTop={(node) => (node.depth === 1 && node.children && node.y1 - node.y0 > 40 ? 18 : 0)}
            round
          >
            {(tree) => (
              <>
                {tree
                  .descendants()
                  .filter(({ depth, children }) => depth === 1 && children)
                  .map(({ data, x0, x1, y0, y1 }) =>
                    y1 - y0 > 40 && x1 - x0 > 48 ? (
                      <text key={data.name} x={x0} y={y0 + 12} fontSize={11} className="fill-muted font-mono">
                        {shorten(data.name, x1 - x0)}
                      </text>
                    ) : null,
                  )}
                {tree.leaves().map(({ data: { file, name }, x0, x1, y0, y1 }) => {
                  if (!file) return null;
                  const index = files.indexOf(file);
                  return (
                    <FileCell
                      key={file.path}
                      name={name}
                      shade={shadeOf(file.heat / max)}
                      isActive={index === active}
                      box={{ x: x0, y: y0, width: x1 - x0, height: y1 - y0 }}
                      onHover={() => setActive(index)}
                      onOpen={() => void navigate(file.url)}
                    />
                  );
                })}
              </>
            )}
          </Treemap>
        </svg>
      )}
      <figcaption id={descriptionId} aria-live="polite" className="mt-1 min-h-5 text-sm text-muted">
        {active === null ? t('hotspots.legend') : files[active]?.description}
      </figcaption>
    </figure>
  );
}

interface FileCellProps {
  name: string;
  shade: number;
  isActive: boolean;
  box: { x: number; y: number; width: number; height: number };
  onHover: () => void;
  onOpen: () => void;
}

function FileCell({ name, shade, isActive, box: { x, y, width, height }, onHover, onOpen }: FileCellProps) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the chart handles the keyboard.
    <g onPointerEnter={onHover} onClick={onOpen} className="cursor-pointer">
      <rect
        {...{ x, y, width, height }}
        fill={`var(--age-${shade})`}
        stroke={isActive ? 'var(--foreground)' : 'none'}
        strokeWidth={2}
      />
      {height > 18 && width > 44 && (
        <text
          x={x + 5}
          y={y + 14}
          fontSize={11}
          className="pointer-events-none font-mono"
          fill={shade <= 2 ? 'var(--on-action)' : 'var(--foreground)'}
        >
          {shorten(name, width - 8)}
        </text>
      )}
    </g>
  );
}

/** Shade of petrol, 1 (strongest) to 5; on a square-root scale, since a few files have most changes. */
const shadeOf = (share: number) => 5 - Math.min(4, Math.floor(Math.sqrt(share) * 5));

const shorten = (text: string, width: number) => {
  const most = Math.floor(width / CHAR_PX);
  return text.length <= most ? text : `${text.slice(0, Math.max(1, most - 1))}…`;
};

/** The deepest folder that holds all files. */
function commonFolder(files: readonly TreemapFile[]): string {
  const folders = files.map(({ path }) => path.split('/').slice(0, -1));
  const first = folders[0] ?? [];
  const depth = first.findIndex((name, level) => folders.some((folder) => folder[level] !== name));
  return (depth === -1 ? first : first.slice(0, depth)).join('/');
}

/** Groups files by the folder directly below the one that holds them all. */
function groupByFolder(files: readonly TreemapFile[]): TreeNode {
  const base = commonFolder(files);
  const groups = new Map<string, TreeNode[]>();
  const start = base === '' ? 0 : base.length + 1;
  for (const file of files) {
    const rest = file.path.slice(start);
    const slash = rest.indexOf('/');
    const folder = slash === -1 ? '' : rest.slice(0, slash);
    const leaf = { name: file.path.slice(file.path.lastIndexOf('/') + 1), file };
    groups.set(folder, [...(groups.get(folder) ?? []), leaf]);
  }
  const children = Array.from(groups, ([name, leaves]) => ({
    name: name === '' ? `${base || '.'}/` : `${name}/`,
    children: leaves,
  }));
  return { name: base, children };
}
