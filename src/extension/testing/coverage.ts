// Coverage in the editor: sums of every file when a run has ended, details of a file when somebody looks at it.
import * as vscode from 'vscode';
import {
  lineEnd,
  type Counted,
  type FileCoverage,
  type Share,
  type Span,
} from '../../core/model/coverage.ts';
import { requests, type WireFileTotals } from '../../server/messages.ts';
import type { EngineClient } from '../engineClient.ts';
import { toUri } from '../folders.ts';
import { inSlices } from './slices.ts';
import type { TestTree } from './tree.ts';

interface ToldCoverage {
  readonly runId: string;
  readonly root: string;
  readonly files: readonly WireFileTotals[];
}

/** Where the details of a shown file are to be had. */
interface Origin {
  readonly runId: string;
  readonly root: string;
  readonly file: string;
}

export class RunCoverage {
  readonly #engine: EngineClient;
  readonly #tree: TestTree;
  readonly #origins = new WeakMap<vscode.FileCoverage, Origin>();

  constructor(engine: EngineClient, tree: TestTree) {
    this.#engine = engine;
    this.#tree = tree;
  }

  /** Shows the sums of a run that is about to end. */
  async tell(run: vscode.TestRun, { runId, root, files }: ToldCoverage): Promise<void> {
    await inSlices(files, ({ file, statements, branches, functions, tests = [] }) => {
      const uri = toUri(root, file);
      if (uri === undefined) return;
      const shown = new vscode.FileCoverage(
        uri,
        toCount(statements),
        branches.total > 0 ? toCount(branches) : undefined,
        functions.total > 0 ? toCount(functions) : undefined,
        tests.flatMap((id) => this.#tree.get(root, id) ?? []),
      );
      this.#origins.set(shown, { runId, root, file });
      run.addCoverage(shown);
    });
  }

  /** Of all tests, or of one; nothing when a later run with coverage took the place of this one. */
  async details(
    shown: vscode.FileCoverage,
    token: vscode.CancellationToken,
    item?: vscode.TestItem,
  ): Promise<vscode.FileCoverageDetail[]> {
    const origin = this.#origins.get(shown);
    if (origin === undefined) return [];
    const { coverage } = await this.#engine.request(
      requests.coverageDetails,
      { ...origin, ...(item && { test: item.id }) },
      token,
    );
    return coverage ? toDetails(coverage) : [];
  }
}

function toDetails({ statements, functions, branches }: FileCoverage): vscode.FileCoverageDetail[] {
  const owners = statements.map(({ span, count }) => ({
    span,
    count,
    branches: [] as vscode.BranchCoverage[],
  }));
  for (const { span, arms } of branches) {
    const owner = innermost(owners, span);
    arms.forEach(({ span: arm, count }, index) =>
      owner?.branches.push(new vscode.BranchCoverage(count, toRange(arm), `path ${index + 1}`)),
    );
  }
  return [
    ...owners.map(
      ({ span, count, branches: own }) => new vscode.StatementCoverage(count, toRange(span), own),
    ),
    ...functions.map(
      ({ name, span, count }) =>
        new vscode.DeclarationCoverage(name === '' ? '(anonymous)' : name, count, toRange(span)),
    ),
  ];
}

/** The smallest statement around the place; a default of a parameter has none but the one before its function. */
function innermost<T extends Counted>(statements: readonly T[], [line, column]: Span): T | undefined {
  let found: T | undefined;
  for (const statement of statements) {
    const [startLine, startColumn, endLine, endColumn] = statement.span;
    const starts = startLine < line || (startLine === line && startColumn <= column);
    const ends = endLine > line || (endLine === line && endColumn > column);
    if (starts && ends && (!found || isAfter(statement.span, found.span))) found = statement;
  }
  return found ?? statements[0];
}

const isAfter = ([line, column]: Span, [otherLine, otherColumn]: Span): boolean =>
  line > otherLine || (line === otherLine && column >= otherColumn);

function toCount({ covered, total }: Share): vscode.TestCoverageCount {
  return new vscode.TestCoverageCount(covered, total);
}

function toRange([line, column, endLine, endColumn]: Span): vscode.Range {
  const end = Math.min(endColumn, lineEnd) - 1;
  return new vscode.Range(
    Math.max(line - 1, 0),
    Math.max(column - 1, 0),
    Math.max(endLine - 1, 0),
    Math.max(end, 0),
  );
}
