import { scaleBand, scaleLinear } from '@visx/scale';
import { useId } from 'react';
import { useTranslation } from '../i18n.ts';
import { useMarks } from '../parts/use-marks.ts';
import { useWidth } from './use-width.ts';

/** A part of a column, from the bottom. */
interface Layer {
  value: number;
  /** CSS color. */
  fill: string;
}

/** One column of a time axis. */
interface Column {
  /** Start of the period, a day. */
  key: string;
  /** Label under the axis, shown where there is room; empty for none. */
  tick: string;
  /** Tooltip of a column. */
  description: string;
  layers: readonly Layer[];
  /** Height of an outline behind the layers. */
  outline?: number | null;
}

interface ColumnChartProps {
  /** Names the chart for screen readers. */
  label: string;
  columns: readonly Column[];
  onOpen: (column: Column) => void;
}

const HEIGHT = 200;
const MARGIN = { top: 18, right: 12, bottom: 22, left: 44 };
const MIN_TICK_PX = 64;

/**
 * Columns over time with a scale of few lines. The column under the pointer or the keyboard is described below the chart;
 * a click or Enter opens it.
 */
export function ColumnChart({ label, columns, onOpen }: ColumnChartProps) {
  const { t, i18n } = useTranslation('evolution');
  const [ref, width] = useWidth();
  const descriptionId = useId();
  const { active, setActive, chartProps } = useMarks(columns.length, (index) => onOpen(columns[index]!));
  const heightOf = ({ layers, outline }: Column) =>
    Math.max(
      outline ?? 0,
      layers.reduce((sum, layer) => sum + layer.value, 0),
    );
  const y = scaleLinear({
    domain: [0, Math.max(1, ...columns.map(heightOf))],
    range: [HEIGHT - MARGIN.bottom, MARGIN.top],
    nice: 3,
  });
  const x = scaleBand({
    domain: columns.map(({ key }) => key),
    range: [MARGIN.left, Math.max(width - MARGIN.right, MARGIN.left)],
    padding: columns.length > 40 ? 0.15 : 0.25,
  });
  const number = new Intl.NumberFormat(i18n.language, { notation: 'compact' });
  const ticks = selectTicks(columns, x.step());
  return (
    <figure ref={ref} className="w-full">
      {width > 0 && (
        <svg
          role="application"
          aria-label={`${label}. ${t('keys')}`}
          aria-describedby={descriptionId}
          width={width}
          height={HEIGHT}
          className="block rounded-md tabular-nums"
          {...chartProps}
        >
          {y
            .ticks(3)
            .filter(Number.isInteger)
            .map((tick) => (
              <g key={tick}>
                <line x1={MARGIN.left} x2={width} y1={y(tick)} y2={y(tick)} stroke="var(--chart-grid)" />
                <text
                  x={MARGIN.left - 8}
                  y={y(tick)}
                  dy="0.32em"
                  textAnchor="end"
                  fontSize={11}
                  fill="var(--chart-axis)"
                >
                  {number.format(tick)}
                </text>
              </g>
            ))}
          {columns.map((column, index) => (
            <ColumnMark
              key={column.key}
              column={column}
              isActive={index === active}
              place={{ x: x(column.key) ?? 0, width: x.bandwidth(), step: x.step(), y }}
              onHover={() => setActive(index)}
              onOpen={() => onOpen(column)}
              tick={ticks.has(index) ? column.tick : null}
            />
          ))}
        </svg>
      )}
      <figcaption id={descriptionId} aria-live="polite" className="mt-1 min-h-5 pl-11 text-sm text-muted">
        {active === null ? '' : columns[active]?.description}
      </figcaption>
    </figure>
  );
}

/** Columns whose labels fit beside each other. */
function selectTicks(columns: readonly Column[], step: number): Set<number> {
  const selected = new Set<number>();
  let next = 0;
  for (const [index, { tick }] of columns.entries()) {
    if (tick === '' || index * step < next) continue;
    selected.add(index);
    next = index * step + MIN_TICK_PX;
  }
  return selected;
}

interface ColumnMarkProps {
  column: Column;
  isActive: boolean;
  place: { x: number; width: number; step: number; y: (value: number) => number };
  tick: string | null;
  onHover: () => void;
  onOpen: () => void;
}

function ColumnMark({ column, isActive, place, tick, onHover, onOpen }: ColumnMarkProps) {
  const { x, width, step, y } = place;
  let top = 0;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the chart handles the keyboard.
    <g onPointerEnter={onHover} onClick={onOpen} className="cursor-pointer">
      <rect
        x={x - (step - width) / 2}
        y={MARGIN.top - 8}
        width={step}
        height={HEIGHT - MARGIN.bottom - MARGIN.top + 8}
        fill={isActive ? 'var(--chart-band)' : 'transparent'}
      />
      {column.outline != null && (
        <rect
          x={x + 0.5}
          y={y(column.outline)}
          width={Math.max(1, width - 1)}
          height={y(0) - y(column.outline)}
          fill="none"
          stroke="var(--chart-axis)"
          strokeDasharray="2 2"
        />
      )}
      {column.layers.map(({ value, fill }) => {
        const from = top;
        top += value;
        return (
          <rect
            key={fill}
            x={x}
            y={y(top)}
            width={width}
            height={Math.max(0, y(from) - y(top))}
            fill={fill}
          />
        );
      })}
      {tick !== null && (
        <text x={x + width / 2} y={HEIGHT - 6} textAnchor="middle" fontSize={11} fill="var(--chart-axis)">
          {tick}
        </text>
      )}
    </g>
  );
}
