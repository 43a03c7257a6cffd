// Removes the terminal's colour and cursor codes from text.

const codes = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g;

export function stripAnsi(text: string): string {
  return text.includes('\u001b') ? text.replace(codes, '') : text;
}
