// Makes steps of what a person does, as few as say the same: letters become one fill, a click into a field is part of it.
import { locatorsFor } from '../healing/locatorsFor.ts';
import type { ElementFingerprint } from '../healing/fingerprint.ts';
import {
  scenarioId,
  type WrittenLocator,
  type WrittenScenario,
  type WrittenStep,
  type WrittenStrategy,
} from '../writtenScenario.ts';
import type { ElementEvent } from './pageEvent.ts';

type ClickStep = Extract<WrittenStep, { type: 'click' }>;

interface Recorded {
  step: WrittenStep;
  /** A click into a field, which whatever is done in the field makes needless. */
  readonly isFocus: boolean;
}

export class StepList {
  readonly notes: string[] = [];
  readonly #recorded: Recorded[] = [];
  readonly #secrets = new Map<string, NonNullable<WrittenScenario['variables']>[number]>();
  readonly #testIdAttribute: string;

  constructor(testIdAttribute: string) {
    this.#testIdAttribute = testIdAttribute;
  }

  get steps(): readonly WrittenStep[] {
    return this.#recorded.map(({ step }) => step);
  }

  get variables(): NonNullable<WrittenScenario['variables']> {
    return [...this.#secrets.values()];
  }

  navigate(url: string): void {
    const last = this.#recorded.at(-1)?.step;
    if (last?.type === 'navigate' && last.config.url === url) return;
    this.#recorded.push({ step: { type: 'navigate', config: { url } }, isFocus: false });
  }

  /** `frame`: selectors of the frames that hold the element, the outermost first. */
  add(event: ElementEvent, frame: readonly string[]): void {
    const last = this.#recorded.at(-1);
    if (event.kind === 'fill' && event.same) {
      if (last?.step.type !== 'fill' || last.step.config.value === undefined) return;
      if (!event.secret)
        last.step = { ...last.step, config: { ...last.step.config, value: this.#typed(event.value ?? '') } };
      return;
    }
    const { element } = event;
    if (element === undefined) return;
    const locator = this.#locator(event, element, frame);
    const step = this.#stepOf(event, element, locator);
    const isSame =
      last !== undefined && 'locator' in last.step.config && sameElement(last.step.config.locator, locator);
    if (isSame && event.kind === 'click' && last.step.type === 'click' && event.count > 1)
      last.step = { ...last.step, config: { ...last.step.config, clickCount: event.count } };
    else if (
      isSame &&
      (last.isFocus ||
        (event.kind === 'fill' && last.step.type === 'fill' && last.step.config.press === undefined))
    )
      this.#recorded[this.#recorded.length - 1] = { step, isFocus: last.isFocus && event.kind === 'click' };
    else
      this.#recorded.push({
        step,
        isFocus: event.kind === 'click' && event.isField && event.button === 'left',
      });
  }

  /** What the last click caused: it is that of a dialog, or of a download. */
  caused(what: Pick<ClickStep['config'], 'dialog' | 'download'>): void {
    const last = this.#recorded.at(-1);
    if (last?.step.type === 'click') last.step = { ...last.step, config: { ...last.step.config, ...what } };
    else
      this.notes.push(
        `A ${'dialog' in what ? 'dialog' : 'download'} that no click caused is not in the scenario.`,
      );
  }

  #stepOf(event: ElementEvent, element: ElementFingerprint, locator: WrittenLocator): WrittenStep {
    switch (event.kind) {
      case 'click':
        return {
          type: 'click',
          config: {
            locator,
            ...(event.button !== 'left' && { button: event.button }),
            ...(event.count > 1 && { clickCount: event.count }),
            ...(event.modifiers.length > 0 && { modifiers: event.modifiers }),
          },
        };
      case 'fill':
        return {
          type: 'fill',
          config: { locator, value: event.secret ? this.#secret(element) : this.#typed(event.value ?? '') },
        };
      case 'check':
        return { type: 'fill', config: { locator, checked: event.checked } };
      case 'select': {
        const values = event.chosen.map(({ value }) => value);
        const labels = event.chosen.map(({ label }) => label.trim());
        const byLabel = labels.length > 0 && labels.every((label) => label !== '');
        return {
          type: 'select',
          config: { locator, ...(byLabel ? { label: oneOrAll(labels) } : { value: oneOrAll(values) }) },
        };
      }
      case 'files':
        this.notes.push(
          `Put ${event.files.join(', ')} beside the scenario: a page does not say where an uploaded file lies.`,
        );
        return { type: 'fill', config: { locator, files: oneOrAll(event.files) } };
      case 'press':
        return { type: 'fill', config: { locator, press: event.key } };
      case 'assert': {
        if (event.what === 'visible') return { type: 'assert', config: { assertion: 'visible', locator } };
        if (event.what === 'value')
          return { type: 'assert', config: { assertion: 'value', locator, value: this.#typed(event.text) } };
        const text = event.text.replace(/\s+/g, ' ').trim();
        const isLong = text.length > 200;
        return {
          type: 'assert',
          config: {
            assertion: 'text',
            locator,
            ...(isLong && { matcher: 'contains' }),
            value: this.#typed(isLong ? text.slice(0, 200) : text),
          },
        };
      }
    }
  }

  #typed(value: string): string {
    if (value.includes('{{'))
      this.notes.push('A typed text holds {{, which begins a variable in a scenario: look at it.');
    return value;
  }

  /** `{{password}}`, by the name of its field: what was typed there never left the page. */
  #secret(element: ElementFingerprint): string {
    const called = element.accessibleName ?? element.name ?? element.id ?? 'password';
    const plain = scenarioId(called)
      .replace(/[^a-z0-9]+/g, '_')
      .replace(/^_|_$/g, '');
    const name = /^[a-z]/.test(plain) ? plain : 'password';
    this.#secrets.set(name, { name, fromEnv: name.toUpperCase(), secret: true });
    return `{{${name}}}`;
  }

  #locator(
    { kind, elements, ...event }: ElementEvent,
    element: ElementFingerprint,
    frame: readonly string[],
  ): WrittenLocator {
    const listed = elements.find(({ path }) => path !== undefined && path === element.path);
    const candidates = listed ? elements : [...elements, element];
    const found = locatorsFor(listed ?? element, candidates, {
      testIdAttribute: this.#testIdAttribute,
      most: 3,
    });
    // An element that is found by its text cannot be asked for its text.
    const isText = kind === 'assert' && 'what' in event && event.what === 'text';
    const fit = isText
      ? found.filter((one) => one.type !== 'text' && !(one.type === 'role' && one.name === element.text))
      : found;
    const strategies: readonly WrittenStrategy[] = fit.length > 0 ? fit : found;
    if (strategies.length === 0)
      this.notes.push(`Nothing but its place tells ${nameOf(element)} apart: give it a test id.`);
    const [first = { type: 'css', selector: cssPath(element.path ?? element.tag) }, ...more] = strategies;
    return {
      displayName: nameOf(element),
      strategies: [first, ...more],
      ...(frame.length > 0 && { frame: frame.length === 1 ? (frame[0] ?? '') : [...frame] }),
    };
  }
}

const words: Readonly<Record<string, string>> = {
  textbox: 'field',
  searchbox: 'field',
  combobox: 'list',
  img: 'image',
  listitem: 'item',
  paragraph: '',
};

function nameOf({ tag, role, accessibleName, text, attributes, id, name }: ElementFingerprint): string {
  const testId = Object.entries(attributes ?? {}).find(([key]) => /^data-(?:test|qa|cy)/.test(key))?.[1];
  const called = [accessibleName, text, attributes?.['placeholder'], testId, name, id].find(
    (one) => one !== undefined && one !== '',
  );
  const kind = role === undefined ? (tag === 'input' ? 'field' : '') : (words[role] ?? role);
  return called === undefined ? kind || tag : `${called.slice(0, 60)} ${kind}`.trim();
}

/** The way from the top; Playwright's CSS looks into shadow roots by itself. */
function cssPath(path: string): string {
  return path
    .split('/')
    .filter((step) => step !== 'html[1]')
    .map((step) => step.replace(/\[(\d+)\]$/, ':nth-of-type($1)'))
    .join(' > ')
    .replaceAll(' > #shadow > ', ' ');
}

const sameElement = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
const oneOrAll = (all: readonly string[]): string | string[] =>
  all.length === 1 ? (all[0] ?? '') : [...all];
