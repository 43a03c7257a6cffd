// Runs in every document while a person records: tells what is clicked, typed, chosen and asserted, and shows the toolbar.
import type { ElementFingerprint } from '../healing/fingerprint.ts';
import { allElementsScript, oneElementScript } from '../healing/collectElements.ts';

type Mode = 'record' | 'visible' | 'text';

/** A script for `addInitScript`. `binding` takes one JSON text; `control` is the name under which the page is told the mode. */
export const recorderScript = (binding: string, control: string): string =>
  `(() => { const __name = (one) => one; (${recordPage.toString()})(${JSON.stringify(binding)}, ${JSON.stringify(control)}, () => ${allElementsScript()}, ${String(oneElementScript)}); })()`;

/** Stands alone: nothing from outside of it is there in the page. */
function recordPage(
  binding: string,
  control: string,
  all: () => ElementFingerprint[],
  one: (element: Element) => ElementFingerprint | undefined,
): void {
  if (Object.hasOwn(window, control)) return;
  const tell: unknown = Reflect.get(window, binding);
  if (typeof tell !== 'function') return;
  const send = (event: Readonly<Record<string, unknown>>): void => {
    Reflect.apply(tell, undefined, [JSON.stringify(event)]);
  };
  let mode: Mode = 'record';
  let lastKey: { readonly key: string; readonly target: Element } | undefined;
  let typedIn: Element | undefined;
  let hovered: Element | undefined;
  const secrets = new WeakSet<Element>();
  const host = document.createElement('testmend-recorder');

  const innermost = (event: Event): Element | undefined => {
    const [first] = event.composedPath();
    return first instanceof Element ? first : undefined;
  };
  const isOurs = (event: Event): boolean => event.composedPath().includes(host);
  const actionable =
    'button,a[href],area[href],input,select,textarea,summary,label,option,[contenteditable=""],[contenteditable="true"],[onclick],[role="button"],[role="link"],[role="tab"],[role^="menuitem"],[role="option"],[role="checkbox"],[role="radio"],[role="switch"],[role="treeitem"]';
  /** What a person means who clicks on an icon in a button. */
  const meant = (event: Event): Element | undefined => {
    const elements = event.composedPath().filter((target) => target instanceof Element);
    const found = elements.find((element) => element.matches(actionable)) ?? elements[0];
    return found?.closest('svg') ? (found.closest('svg')?.parentElement ?? found) : found;
  };
  const about = (element: Element): Record<string, unknown> => ({
    element: one(element),
    elements: all(),
    isField: isTextField(element) || element.localName === 'select',
  });
  const isTextField = (element: Element): boolean => {
    if (
      element instanceof HTMLTextAreaElement ||
      (element instanceof HTMLElement && element.isContentEditable)
    )
      return true;
    return (
      element instanceof HTMLInputElement &&
      !/^(?:checkbox|radio|button|submit|reset|image|file|hidden)$/.test(element.type)
    );
  };
  const isChoice = (element: Element): element is HTMLInputElement =>
    element instanceof HTMLInputElement && /^(?:checkbox|radio)$/.test(element.type);
  /** Once a password, always one: also while a button shows it. */
  const isSecret = (element: Element): boolean => {
    const complete = element.getAttribute('autocomplete') ?? '';
    const is =
      (element instanceof HTMLInputElement && element.type === 'password') ||
      /(?:^|\s)(?:current-password|new-password|one-time-code|cc-number|cc-csc)$/.test(complete);
    if (is) secrets.add(element);
    return secrets.has(element);
  };
  const stop = (event: Event): void => {
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const listen = <Type extends keyof WindowEventMap>(
    type: Type,
    react: (event: WindowEventMap[Type]) => void,
  ): void =>
    window.addEventListener(type, (event) => event.isTrusted && !isOurs(event) && react(event), true);

  listen('click', (event) => {
    if (mode !== 'record') {
      stop(event);
      pick(innermost(event));
      return;
    }
    const element = meant(event);
    if (!element || isChoice(element) || (element instanceof HTMLInputElement && element.type === 'file'))
      return;
    if (element instanceof HTMLOptionElement) return;
    const labelled = element instanceof HTMLLabelElement ? element.control : null;
    if (labelled && (isChoice(labelled) || isTextField(labelled))) return;
    // Without a pointer it comes of a key: on the element itself, or in a field of its form, which is a key press there.
    if (event.detail === 0 && lastKey?.target !== element) return;
    typedIn = undefined;
    const modifiers = (['Alt', 'Control', 'Meta', 'Shift'] as const).filter((key) =>
      event.getModifierState(key),
    );
    send({ kind: 'click', ...about(element), button: 'left', count: Math.max(1, event.detail), modifiers });
  });
  listen('contextmenu', (event) => {
    const element = meant(event);
    if (mode === 'record' && element)
      send({ kind: 'click', ...about(element), button: 'right', count: 1, modifiers: [] });
  });
  for (const type of ['pointerdown', 'pointerup', 'mousedown', 'mouseup', 'dblclick'] as const)
    listen(type, (event) => mode !== 'record' && stop(event));
  listen('mousemove', (event) => {
    if (mode !== 'record') outline(innermost(event));
  });

  listen('input', (event) => {
    const element = innermost(event);
    const field =
      element instanceof HTMLElement && element.isContentEditable
        ? (element.closest('[contenteditable]') ?? element)
        : element;
    if (mode !== 'record' || !field || !isTextField(field)) return;
    const secret = isSecret(field);
    const value =
      field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement
        ? field.value
        : field instanceof HTMLElement
          ? field.innerText
          : '';
    // The element is described once: each letter would else take the time of the whole page.
    const place = typedIn === field ? { same: true } : about(field);
    typedIn = field;
    send({ kind: 'fill', ...place, secret, ...(secret ? {} : { value }) });
  });
  listen('change', (event) => {
    const element = innermost(event);
    if (mode !== 'record' || !element) return;
    if (isChoice(element)) send({ kind: 'check', ...about(element), checked: element.checked });
    else if (element instanceof HTMLSelectElement) {
      const chosen = Array.from(element.selectedOptions, ({ value, label }) => ({ value, label }));
      send({ kind: 'select', ...about(element), chosen });
    } else if (element instanceof HTMLInputElement && element.type === 'file')
      send({ kind: 'files', ...about(element), files: Array.from(element.files ?? [], ({ name }) => name) });
    else return;
    typedIn = undefined;
  });
  listen('keydown', (event) => {
    const target = innermost(event);
    if (!target || event.isComposing) return;
    if (mode !== 'record') {
      stop(event);
      steer(event.key);
      return;
    }
    lastKey = { key: event.key, target };
    const shortcut = event.ctrlKey || event.metaKey || event.altKey;
    if (event.altKey && event.shiftKey && event.code === 'KeyT') {
      stop(event);
      buttons[0]?.focus();
      return;
    }
    const isText = isTextField(target);
    const isNewLine =
      target instanceof HTMLTextAreaElement || (target instanceof HTMLElement && target.isContentEditable);
    const wanted = isText
      ? (event.key === 'Enter' && !isNewLine) ||
        /^(?:Escape|ArrowUp|ArrowDown|PageUp|PageDown|F\d+)$/.test(event.key) ||
        (shortcut &&
          event.key.length === 1 &&
          !/^[acvxyz]$/i.test(event.key) &&
          !event.getModifierState('AltGraph'))
      : /^(?:Escape|Arrow\w+|Page\w+|Home|End|Delete|Backspace|F\d+)$/.test(event.key) ||
        (shortcut && event.key.length === 1);
    if (!wanted || isChoice(target) || target instanceof HTMLSelectElement || event.repeat) return;
    const modifiers = [
      event.ctrlKey && 'Control',
      event.altKey && 'Alt',
      event.metaKey && 'Meta',
      event.shiftKey && 'Shift',
    ];
    send({ kind: 'press', ...about(target), key: [...modifiers.filter(Boolean), event.key].join('+') });
    typedIn = undefined;
  });

  // Assertions: the next click, or Enter on the outlined element, picks one.
  const frame = document.createElement('div');
  const outline = (element: Element | undefined): void => {
    hovered = element;
    const box = element?.getBoundingClientRect();
    frame.style.display = box ? 'block' : 'none';
    if (box)
      Object.assign(frame.style, {
        left: `${box.x}px`,
        top: `${box.y}px`,
        width: `${box.width}px`,
        height: `${box.height}px`,
      });
  };
  const setMode = (next: Mode): void => {
    mode = next;
    outline(undefined);
    for (const button of buttons)
      button.setAttribute('aria-pressed', String(button.dataset['mode'] === next));
    status.textContent =
      next === 'record'
        ? 'Recording'
        : 'Click an element, or choose it with the arrow keys and Enter. Escape: back';
  };
  const pick = (element: Element | undefined): void => {
    if (element) {
      const field = element as Partial<HTMLInputElement>;
      const isValue = isTextField(element) && typeof field.value === 'string';
      const text = isSecret(element)
        ? ''
        : isValue
          ? (field.value ?? '')
          : ((element as Partial<HTMLElement>).innerText ?? element.textContent ?? '');
      send({
        kind: 'assert',
        ...about(element),
        what: mode === 'text' ? (isValue ? 'value' : 'text') : 'visible',
        text,
      });
    }
    send({ kind: 'mode', mode: 'record' });
    setMode('record');
  };
  const steer = (key: string): void => {
    if (key === 'Escape') pick(undefined);
    else if (key === 'Enter') pick(hovered ?? document.activeElement ?? undefined);
    else if (/^Arrow|^Tab$/.test(key)) {
      const shown = Array.from(document.body.querySelectorAll('*')).filter(
        (element) =>
          (element !== host &&
            element.checkVisibility() &&
            Array.from(element.childNodes).some((node) => node.nodeType === 3 && node.nodeValue?.trim())) ||
          element.matches(actionable),
      );
      const at = hovered ? shown.indexOf(hovered) : -1;
      const next = shown[(at + (/Left|Up/.test(key) ? -1 : 1) + shown.length) % shown.length];
      next?.scrollIntoView({ block: 'nearest' });
      outline(next);
      status.textContent = next?.textContent?.trim().slice(0, 60) ?? '';
    }
  };

  const status = document.createElement('span');
  status.setAttribute('role', 'status');
  const buttons = (
    [
      ['Assert visible', 'visible'],
      ['Assert text', 'text'],
      ['Stop', ''],
    ] as const
  ).map(([label, wanted]) => {
    const button = document.createElement('button');
    button.textContent = label;
    button.dataset['mode'] = wanted;
    button.addEventListener('click', (event) => {
      if (!event.isTrusted) return;
      if (wanted === '') send({ kind: 'stop' });
      else {
        const next = mode === wanted ? 'record' : wanted;
        send({ kind: 'mode', mode: next });
        setMode(next);
        button.blur();
      }
    });
    return button;
  });
  Object.defineProperty(window, control, { value: setMode });
  const root = host.attachShadow({ mode: 'closed' });
  // Styles of the document's own kind: a policy of the page against inline styles does not reach them.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`
    div[role=toolbar] { position: fixed; z-index: 2147483647; right: 12px; bottom: 12px; display: flex; gap: 6px; align-items: center;
      padding: 6px 10px; border-radius: 8px; font: 13px/1.4 system-ui, sans-serif; color: #fff; background: #1f2328; box-shadow: 0 2px 10px #0006; }
    button { font: inherit; color: inherit; background: #3b434b; border: 1px solid #6e7781; border-radius: 5px; padding: 3px 8px; cursor: pointer; }
    button:focus-visible { outline: 2px solid #6cb6ff; } button[aria-pressed=true] { background: #1f6feb; }
    .outline { position: fixed; z-index: 2147483646; display: none; pointer-events: none; outline: 2px solid #1f6feb; background: #1f6feb22; }`);
  root.adoptedStyleSheets = [sheet];
  frame.className = 'outline';
  const bar = document.createElement('div');
  bar.setAttribute('role', 'toolbar');
  bar.setAttribute('aria-label', 'Testmend recorder (Alt+Shift+T)');
  bar.append(status, ...buttons);
  root.append(frame, ...(window === window.top ? [bar] : []));
  setMode('record');
  const show = (): void => {
    if (!host.isConnected) document.documentElement?.append(host);
  };
  // A page may throw away what it does not know.
  new MutationObserver(show).observe(document, { childList: true, subtree: false });
  document.addEventListener('DOMContentLoaded', () => {
    show();
    new MutationObserver(show).observe(document.documentElement, { childList: true });
  });
}
