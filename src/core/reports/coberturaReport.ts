// Cobertura's XML, which CI systems read: one package a folder, one class a file.
import path from 'node:path';
import { lineCounts, sumTotals, totalsOfFile, type FileCoverage, type Share } from '../model/coverage.ts';
import { attribute, content } from './xmlText.ts';

/** `root` is named as the folder to which the names of files are relative. */
export function coberturaXml(files: readonly FileCoverage[], root: string): string {
  const folders = new Map<string, FileCoverage[]>();
  for (const file of files) {
    const folder = path.posix.dirname(file.file);
    folders.set(folder, [...(folders.get(folder) ?? []), file]);
  }
  const { lines, branches } = sumTotals(files.map(totalsOfFile));
  const sums = [
    `lines-valid="${lines.total}" lines-covered="${lines.covered}" line-rate="${rate(lines)}"`,
    `branches-valid="${branches.total}" branches-covered="${branches.covered}" branch-rate="${rate(branches)}"`,
  ].join(' ');
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE coverage SYSTEM "http://cobertura.sourceforge.net/xml/coverage-04.dtd">',
    `<coverage ${sums} timestamp="${Date.now()}" complexity="0" version="0.1">`,
    `  <sources><source>${content(root)}</source></sources>`,
    '  <packages>',
    ...[...folders].flatMap(([folder, inside]) => [
      `    <package name="${attribute(folder === '.' ? '' : folder.replaceAll('/', '.'))}" ${rates(inside)}>`,
      '      <classes>',
      ...inside.flatMap(classOf),
      '      </classes>',
      '    </package>',
    ]),
    '  </packages>',
    '</coverage>',
    '',
  ].join('\n');
}

function classOf(file: FileCoverage): readonly string[] {
  const arms = new Map<number, { total: number; covered: number }>();
  for (const { span, arms: own } of file.branches) {
    const known = arms.get(span[0]) ?? { total: 0, covered: 0 };
    known.total += own.length;
    known.covered += own.filter(({ count }) => count > 0).length;
    arms.set(span[0], known);
  }
  const lines = [...lineCounts(file)].sort(([a], [b]) => a - b);
  return [
    `        <class name="${attribute(path.posix.basename(file.file))}" filename="${attribute(file.file)}" ${rates([file])}>`,
    '          <methods>',
    ...file.functions.map(
      ({ name, span, count }) =>
        `            <method name="${attribute(name || '(anonymous)')}" signature="()V" hits="${count}" line-rate="${count > 0 ? 1 : 0}" branch-rate="${count > 0 ? 1 : 0}"><lines><line number="${span[0]}" hits="${count}"/></lines></method>`,
    ),
    '          </methods>',
    '          <lines>',
    ...lines.map(([line, count]) => {
      const own = arms.get(line);
      const branch = own
        ? `branch="true" condition-coverage="${Math.floor((own.covered * 100) / own.total)}% (${own.covered}/${own.total})"`
        : 'branch="false"';
      return `            <line number="${line}" hits="${count}" ${branch}/>`;
    }),
    '          </lines>',
    '        </class>',
  ];
}

function rates(files: readonly FileCoverage[]): string {
  const { lines, branches } = sumTotals(files.map(totalsOfFile));
  return `line-rate="${rate(lines)}" branch-rate="${rate(branches)}" complexity="0"`;
}

const rate = ({ covered, total }: Share): string => (total === 0 ? 1 : covered / total).toFixed(4);
