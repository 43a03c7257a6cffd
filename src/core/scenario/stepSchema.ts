// The steps of a scenario (CONTRACTS S1, S2): one strict shape for each type, so that a misspelt field is an error at its line.
import { z } from 'zod';
import { locatorSchema } from './locatorSchema.ts';

const text = z.string().min(1);
/** May hold a number or a boolean in YAML; what is filled in and compared is text. */
const value = z.union([z.string(), z.number(), z.boolean()]);
const textMatcher = z
  .enum(['equals', 'contains'])
  .default('equals')
  .describe('How the text is compared with `value`.');
const ms = z.number().int().min(0).max(600_000);
const count = z.number().int().min(1).max(10);

const dialog = z
  .exactOptional(
    z.strictObject({
      action: z.enum(['accept', 'dismiss']).default('accept').describe('The button that is pressed.'),
      text: z.exactOptional(z.string()).describe('The answer to a prompt.'),
      message: z.exactOptional(text).describe('What the dialog must say, or a part of it.'),
    }),
  )
  .describe(
    'The alert, confirmation or prompt that the click opens. Without this field a dialog is dismissed.',
  );
const download = z
  .exactOptional(
    z.strictObject({
      saveAs: z.exactOptional(text).describe('Name of the file below .testmend/scenarios/downloads.'),
      fileName: z.exactOptional(text).describe('The name that the server must suggest.'),
    }),
  )
  .describe('The download that the click starts: the step waits for its end.');

const navigate = z.strictObject({
  url: text.describe('Absolute, or relative to the baseUrl of the environment.'),
  waitUntil: z
    .enum(['load', 'domcontentloaded', 'networkidle', 'commit'])
    .default('load')
    .describe('What the step waits for after the address was opened.'),
});
const click = z.strictObject({
  locator: locatorSchema,
  button: z.enum(['left', 'right', 'middle']).default('left').describe('Button of the mouse.'),
  clickCount: count.default(1).describe('2 is a double click.'),
  modifiers: z
    .array(z.enum(['Alt', 'Control', 'ControlOrMeta', 'Meta', 'Shift']))
    .default([])
    .describe('Keys that are held down.'),
  dialog,
  download,
});
const fill = z.strictObject({
  locator: locatorSchema,
  value: z.exactOptional(value).describe('Text to type.'),
  clear: z.boolean().default(true).describe('Replace what the field holds; else the text is added.'),
  files: z
    .exactOptional(z.union([text, z.array(text)]))
    .describe('Files to upload, relative to the scenario, for a file field.'),
  checked: z.exactOptional(z.boolean()).describe('State of a checkbox, a radio button or a switch.'),
  press: z
    .exactOptional(z.union([text, z.array(text)]))
    .describe('Keys to press in the element after all else: Enter, Escape, Control+a.'),
});
const select = z.strictObject({
  locator: locatorSchema,
  value: z.exactOptional(z.union([value, z.array(value)])).describe('Value of the option, or several.'),
  label: z.exactOptional(z.union([text, z.array(text)])).describe('Shown text of the option, or several.'),
  index: z.exactOptional(z.number().int().min(0)).describe('Place of the option, from 0.'),
});
const assert = z.discriminatedUnion('assertion', [
  z.strictObject({
    assertion: z.literal('visible').describe('The element is there and can be seen.'),
    locator: locatorSchema,
  }),
  z.strictObject({
    assertion: z.literal('hidden').describe('The element cannot be seen, or is not there.'),
    locator: locatorSchema,
  }),
  z.strictObject({
    assertion: z.literal('text').describe('The text of the element.'),
    locator: locatorSchema,
    matcher: textMatcher,
    value,
  }),
  z.strictObject({
    assertion: z.literal('value').describe('What a field holds.'),
    locator: locatorSchema,
    matcher: textMatcher,
    value,
  }),
  z.strictObject({
    assertion: z.literal('attribute').describe('An attribute of the element.'),
    locator: locatorSchema,
    attribute: text,
    matcher: textMatcher,
    value,
  }),
  z.strictObject({
    assertion: z.literal('url').describe('The address of the page.'),
    pattern: text.describe('A glob for the address, like **/cart, or a regular expression between slashes.'),
  }),
  z.strictObject({
    assertion: z.literal('title').describe('The title of the page.'),
    matcher: textMatcher,
    value,
  }),
]);
const wait = z.discriminatedUnion('for', [
  z.strictObject({
    for: z.literal('time').describe('A fixed time; better wait for an element.'),
    ms: ms.describe('Milliseconds.'),
  }),
  z.strictObject({
    for: z.literal('element').describe('An element appears, or goes.'),
    locator: locatorSchema,
    state: z
      .enum(['visible', 'hidden', 'attached', 'detached'])
      .default('visible')
      .describe('What the element must become.'),
  }),
  z.strictObject({
    for: z.literal('navigation').describe('The page goes to another address.'),
    url: z.exactOptional(text).describe('A glob for the address, or a regular expression between slashes.'),
  }),
]);
const apiRequest = z.strictObject({
  method: z
    .enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'])
    .default('GET')
    .describe('Method of the request.'),
  url: text.describe('Absolute, or relative to the baseUrl of the environment.'),
  headers: z.record(z.string(), value).default({}).describe('Headers of the request, by name.'),
  body: z.exactOptional(z.json()).describe('A text is sent as it is, everything else as JSON.'),
  saveResponseAs: z
    .exactOptional(z.string().regex(/^[A-Za-z_]\w*$/, 'must be a plain name'))
    .describe(
      'Name of the variable for the response: {{name.status}}, {{name.body.a.b}}, {{name.headers.x}}.',
    ),
  cookies: z
    .enum(['browser', 'none'])
    .default('browser')
    .describe('Send and store the cookies of the browser, or none.'),
});
const response = z
  .exactOptional(text)
  .describe('Name given by saveResponseAs; the last response without it.');
const apiAssert = z.discriminatedUnion('assertion', [
  z.strictObject({
    assertion: z.literal('status').describe('The status code of the response.'),
    response,
    matcher: z.enum(['equals', 'matches']).default('equals'),
    value,
  }),
  z.strictObject({
    assertion: z.literal('body').describe('A part of the body of the response.'),
    response,
    path: z.exactOptional(text).describe('JSON path: items[0].price, or $.items[0].price.'),
    matcher: z.enum(['equals', 'contains', 'matches', 'exists', 'type']).default('equals'),
    value: z.exactOptional(z.json()),
  }),
  z.strictObject({
    assertion: z.literal('header').describe('A header of the response.'),
    response,
    header: text,
    matcher: z.enum(['equals', 'contains', 'matches', 'exists']).default('equals'),
    value: z.exactOptional(value),
  }),
]);
const hover = z.strictObject({ locator: locatorSchema });
const screenshot = z.strictObject({
  name: z.exactOptional(text).describe('Name of the picture.'),
  fullPage: z.boolean().default(false).describe('The whole page, not only what the window shows.'),
  locator: z.exactOptional(locatorSchema),
});
const component = z.strictObject({
  component: text.describe('Name of a component of this folder or of the configuration.'),
  parameters: z
    .record(z.string(), z.json())
    .default({})
    .describe('Values for the parameters of the component.'),
});
const script = z.strictObject({
  script: text.describe('JavaScript that runs in the page, never in Node; `return` gives the result.'),
  args: z.record(z.string(), z.json()).default({}).describe('What the script sees as `args`.'),
  saveResultAs: z
    .exactOptional(z.string().regex(/^[A-Za-z_]\w*$/, 'must be a plain name'))
    .describe('Name of the variable for the result.'),
});

const common = {
  id: z.exactOptional(text).describe('Unique in the scenario; healings and reports name the step by it.'),
  description: z.string().default('').describe('The step in the words of a person.'),
  timeout: z
    .exactOptional(ms)
    .describe('How long the step may take, in milliseconds (30 000 unless the scenario says otherwise).'),
  continueOnError: z
    .boolean()
    .default(false)
    .describe('Go on when the step fails. The scenario fails all the same.'),
};
/** A step as it is written: its id may be left to its place. */
export const stepSchema = z.discriminatedUnion('type', [
  z.strictObject({ ...common, type: z.literal('navigate').describe('Open an address.'), config: navigate }),
  z.strictObject({ ...common, type: z.literal('click').describe('Click an element.'), config: click }),
  z.strictObject({
    ...common,
    type: z.literal('fill').describe('Type into a field, or choose files for it.'),
    config: fill,
  }),
  z.strictObject({
    ...common,
    type: z.literal('select').describe('Choose options of a list.'),
    config: select,
  }),
  z.strictObject({
    ...common,
    type: z.literal('assert').describe('Check what the page shows.'),
    config: assert,
  }),
  z.strictObject({
    ...common,
    type: z.literal('wait').describe('Wait for a time, an element or an address.'),
    config: wait,
  }),
  z.strictObject({
    ...common,
    type: z.literal('api-request').describe('Send a request to an API.'),
    config: apiRequest,
  }),
  z.strictObject({
    ...common,
    type: z.literal('api-assert').describe('Check the response of an API.'),
    config: apiAssert,
  }),
  z.strictObject({
    ...common,
    type: z.literal('hover').describe('Move the pointer over an element.'),
    config: hover,
  }),
  z.strictObject({
    ...common,
    type: z.literal('screenshot').describe('Take a picture of the page or of an element.'),
    config: screenshot,
  }),
  z.strictObject({
    ...common,
    type: z.literal('component').describe('Run the steps of a component.'),
    config: component,
  }),
  z.strictObject({
    ...common,
    type: z.literal('script').describe('Run JavaScript in the page.'),
    config: script,
  }),
]);

type WrittenStep = z.infer<typeof stepSchema>;
/** A step with its id: the written one, or `step-3` for the third. */
export type Step = WithId<WrittenStep>;
type WithId<Written> = Written extends WrittenStep ? Omit<Written, 'id'> & { readonly id: string } : never;

export type StepType = Step['type'];
/** What stands under `config` of a step of the type. */
export type ConfigOf<Type extends StepType> = Extract<Step, { readonly type: Type }>['config'];

/** Gives the steps ids where they have none: `step-1`, or `setup-1` with that prefix. */
export function withIds(steps: readonly WrittenStep[], prefix = 'step'): readonly Step[] {
  return steps.map((step, at) => ({ ...step, id: step.id ?? `${prefix}-${at + 1}` }));
}
