// Where the context of a test is handed to a function: a helper that asserts with it, wherever that is written.
import ts from 'typescript';
import { unwrap, visitNodes } from '../syntax/javascript/sourceTree.ts';

/** Places of a context among the arguments of a call, like `0` or `1.t`, by the text of the function. */
export type ContextPlaces = ReadonlyMap<string, ReadonlySet<string>>;

/** Of all calls of a file. */
export function contextPlacesIn(
  source: ts.SourceFile,
  isContext: (node: ts.Node | undefined) => boolean,
): ContextPlaces {
  const places = new Map<string, Set<string>>();
  visitNodes(source, (node) => {
    if (!ts.isCallExpression(node)) return;
    const found = placesOf(node, isContext);
    if (found.length === 0) return;
    const callee = calleeText(node);
    places.set(callee, new Set([...(places.get(callee) ?? []), ...found]));
  });
  return places;
}

/** Places at which such a call was given a context elsewhere, and is given something else here. */
export function missingContexts(
  call: ts.CallExpression,
  known: ContextPlaces,
  isContext: (node: ts.Node | undefined) => boolean,
): readonly string[] {
  const wanted = known.get(calleeText(call));
  if (wanted === undefined) return [];
  const own = placesOf(call, isContext);
  return [...wanted].filter((place) => !own.includes(place));
}

/** `helpers.check`, without layout and parentheses. */
export function calleeText(call: ts.CallExpression): string {
  return unwrap(call.expression).getText().replace(/\s+/g, '');
}

function placesOf(call: ts.CallExpression, isContext: (node: ts.Node | undefined) => boolean): string[] {
  const places: string[] = [];
  const look = (node: ts.Expression, place: string): void => {
    const inner = unwrap(node);
    if (isContext(inner)) places.push(place);
    else if (ts.isArrayLiteralExpression(inner))
      inner.elements.forEach((element, index) => look(element, `${place}.${index}`));
    else if (ts.isObjectLiteralExpression(inner))
      for (const property of inner.properties) {
        const name = property.name?.getText().replace(/['"]/g, '') ?? '';
        if (ts.isPropertyAssignment(property)) look(property.initializer, `${place}.${name}`);
        else if (ts.isShorthandPropertyAssignment(property)) look(property.name, `${place}.${name}`);
      }
  };
  call.arguments.forEach((argument, index) => look(argument, String(index)));
  return places;
}
