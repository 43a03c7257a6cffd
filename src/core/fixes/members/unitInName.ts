// The unit that a name tells: the same number means something else in another one.

/** Of time, money, shares, memory, lengths, screens, weights, volumes, warmth, angles, power, speed; zones, taxes and places. */
const units = new RegExp(
  `^(?:${[
    's|secs?|seconds?|ms|msecs?|millis|milliseconds?|us|micros|microseconds?|ns|nanos|nanoseconds?|mins?|minutes?|hours?|hrs?',
    'days?|weeks?|months?|quarters?|years?|yrs?|cents?|pence|penny|pennies|euros?|dollars?|pounds?|yen|francs?|rupees?|pesos?',
    'aed|ars|aud|bgn|brl|btc|cad|chf|clp|cny|cop|czk|dkk|egp|eth|eur|gbp|hkd|huf|idr|ils|inr|jpy|krw|mxn|myr|ngn|nok|nzd|php',
    'pkr|pln|ron|rub|sar|sek|sgd|thb|twd|uah|usd|usdt|vnd|zar|percent|pct|percentage|permille|ratio|fraction|bps',
    'bytes?|kb|mb|gb|tb|kib|mib|gib|tib|kilobytes?|megabytes?|gigabytes?|bits?|kbit|mbit|gbit',
    'mm|cm|m|km|nm|millimet(?:er|re)s?|centimet(?:er|re)s?|met(?:er|re)s?|kilomet(?:er|re)s?|miles?|yards?|yd|inch|inches|feet|ft',
    'px|pixels?|em|ems|rem|rems|pt|pts|points?|pc|pica|picas|vw|vh|vmin|vmax|dp|dpi|ppi',
    'mg|g|kg|grams?|kilograms?|kilos?|lbs?|oz|ounces?|tons?|tonnes?|ml|cl|lit(?:er|re)s?|gal|gallons?',
    'celsius|fahrenheit|kelvin|deg|degrees|rad|radians|watts?|kw|mw|wh|kwh|mwh|joules?|kj|cal|kcal|calories',
    'volts?|mv|amps?|hz|khz|mhz|ghz|rpm|mph|kmh|kph|mps|knots?|utc|gmt|local|net|gross|index|id',
  ].join('|')})$`,
);
/** Too short to be a unit, but at the end of a longer name: `temp_c`. */
const signs = /^[cfkl]$/;

/** Taxes told in two words. */
const taxes: readonly (readonly [told: RegExp, unit: string])[] = [
  [/\b(?:without|excl|excluding|before) (?:tax|taxes|vat)\b/, 'net'],
  [/\b(?:with|incl|including) (?:tax|taxes|vat)\b/, 'gross'],
];

/** `usd` of `priceUsd`, `ms` of `timeout_ms`, `net` of `withoutTax`; empty where the name tells none. */
export function unitIn(name: string): string {
  const said = (name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g) ?? []).join(' ').toLowerCase();
  const words = taxes.reduce((text, [told, unit]) => text.replace(told, unit), said).split(' ');
  return words
    .filter(
      (word, index) => units.test(word) || (index > 0 && index === words.length - 1 && signs.test(word)),
    )
    .join(' ');
}
