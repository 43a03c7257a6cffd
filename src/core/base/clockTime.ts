// A moment as people say it: the time of day, with the date when that was another day.

/** `moment`: ms since 1970, told in the zone of this machine. */
export function clockTime(moment: number, now = Date.now()): string {
  const [day, time] = [dayOf(moment), timeOf(moment)];
  return day === dayOf(now) ? time : `${day} ${time}`;
}

const two = (value: number): string => String(value).padStart(2, '0');

function dayOf(moment: number): string {
  const date = new Date(moment);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

function timeOf(moment: number): string {
  const date = new Date(moment);
  return `${two(date.getHours())}:${two(date.getMinutes())}`;
}
