// Keeps the records of healings in `.testmend/healings`, one file each, so that runs at the same time do not overwrite each other's.
import { randomUUID } from 'node:crypto';
import { access, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { HumanError } from '../../base/humanError.ts';
import { leadsOutside } from '../../base/paths.ts';
import { healingId, healingRecordSchema, type HealingRecord, type NewHealing } from './healingRecord.ts';

const place = '.testmend/healings';

export class HealingStore {
  readonly #root: string;
  readonly #folder: string;

  constructor(root: string) {
    this.#root = root;
    this.#folder = path.join(root, place);
  }

  /**
   * Keeps a healing as pending, or as approved without asking. One that was proposed before keeps its decision: a rejected one is given
   * back as `rejected`, and the step must not be healed that way again.
   */
  async propose(
    healing: NewHealing,
    status: 'pending' | 'auto_approved' = 'pending',
  ): Promise<HealingRecord> {
    const id = healingId(healing);
    const known = await this.read(id);
    if (known?.status === 'rejected') return known;
    const record = healingRecordSchema.parse({
      ...healing,
      id,
      status,
      createdAt: new Date().toISOString(),
    });
    await this.write(record);
    return record;
  }

  /** Whether people said no to this very healing before. */
  async isRejected(healing: NewHealing): Promise<boolean> {
    return (await this.read(healingId(healing)))?.status === 'rejected';
  }

  /** All records, the newest first; files that are none are left out. */
  async list(): Promise<readonly HealingRecord[]> {
    const names = await readdir(this.#folder).catch(() => []);
    const records = await Promise.all(
      names.filter((name) => name.endsWith('.json')).map((name) => this.read(name.slice(0, -5))),
    );
    return records
      .filter((record) => record !== undefined)
      .sort((one, other) =>
        one.createdAt < other.createdAt
          ? 1
          : one.createdAt > other.createdAt
            ? -1
            : one.id < other.id
              ? -1
              : 1,
      );
  }

  async read(id: string): Promise<HealingRecord | undefined> {
    if (!healingRecordSchema.shape.id.safeParse(id).success) return undefined;
    const text = await readFile(this.#fileOf(id), 'utf8').catch(() => undefined);
    if (text === undefined) return undefined;
    try {
      const parsed = healingRecordSchema.safeParse(JSON.parse(text));
      return parsed.success && parsed.data.id === id ? parsed.data : undefined;
    } catch {
      return undefined;
    }
  }

  /** Takes the place of the record with that id as a whole. Throws a `usage` HumanError where a link leads out of the root. */
  async write(record: HealingRecord): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    if (leadsOutside(this.#root, place))
      throw new HumanError('usage', `The folder ${place} is a link that leads out of the root.`, {
        file: this.#folder,
        remedy: 'Remove the link: Testmend makes the folder itself.',
      });
    const ignore = path.join(this.#root, '.testmend', '.gitignore');
    await access(ignore).catch(() => writeFile(ignore, '*\n'));
    const draft = `${this.#fileOf(record.id)}.${randomUUID()}`;
    try {
      await writeFile(draft, JSON.stringify(record, undefined, 2) + '\n');
      await rename(draft, this.#fileOf(record.id));
    } finally {
      await rm(draft, { force: true });
    }
  }

  #fileOf(id: string): string {
    return path.join(this.#folder, `${id}.json`);
  }
}
