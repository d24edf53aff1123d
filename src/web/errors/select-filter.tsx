import type { ReactNode } from 'react';
import { Select } from '../ui/field.tsx';
import type { FilterName, InboxFilters } from './use-inbox.ts';

/** The filters of the inbox, and how to set one. */
export interface FilterProps {
  filters: InboxFilters;
  setFilter: (name: FilterName, value: string) => void;
}

interface SelectFilterProps extends FilterProps {
  name: FilterName;
  label: string;
  className: string;
  children: ReactNode;
}

/** Filter with a few values. */
export function SelectFilter({ filters, setFilter, name, label, className, children }: SelectFilterProps) {
  return (
    <Select
      aria-label={label}
      className={className}
      value={filters[name]}
      onChange={(event) => setFilter(name, event.target.value)}
    >
      {children}
    </Select>
  );
}
