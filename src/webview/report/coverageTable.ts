// What the tests ran of the sources, folder by folder.
import { percentOf } from '../../core/model/coverage.ts';
import type { FolderCoverage } from '../../core/model/runReport.ts';
import { element, type Child } from '../dom.ts';
import { tableSection } from './tableSection.ts';

export function coverageTable(folders: readonly FolderCoverage[]): HTMLElement | undefined {
  if (folders.length === 0) return undefined;
  const rows = folders.map(({ folder, lines }): Child[] => {
    const rate = percentOf(lines);
    return [
      folder,
      rate === null ? 'nothing to run' : `${rate.toFixed(1)} %`,
      rate === null ? undefined : meter(rate, folder),
      `${lines.covered.toLocaleString('en')} of ${lines.total.toLocaleString('en')}`,
    ];
  });
  const heads = ['Folder', 'Lines', '', 'Ran'];
  return tableSection({ name: 'coverage', title: 'Coverage', heads, rows });
}

function meter(rate: number, folder: string): HTMLElement {
  const made = element('meter', {
    attributes: { min: '0', max: '100', value: String(rate), 'aria-label': `Lines of ${folder} that ran` },
  });
  return made;
}
