import { CircleAlert, Info, TriangleAlert } from 'lucide-react';
import type { Diagnostic } from '#contract/analysis.ts';

export const SEVERITY_ICONS = { error: CircleAlert, warning: TriangleAlert, info: Info };

/** Class of the color of a severity; errors are ink, for red is that of suspects. */
export function severityColor(severity: Diagnostic['severity']): string {
  return { error: '', warning: 'text-warning', info: 'text-muted' }[severity];
}
