/** Dates as people and programs read them. */

/** Days that a calendar of JavaScript has, before and after 1970. */
export const mostDays = 1e8;
const secondsPerDay = 86_400;

/** 2024-02-29 from days since 1970, with the time where days do not tell enough: 2024-02-29 10:30. */
export function dateOf(days: number, isExact = false): string {
  const text = new Date(Math.round(days * secondsPerDay) * 1000).toISOString();
  const time = text.indexOf("T");
  return isExact ? `${text.slice(0, time)} ${text.slice(time + 1, time + 6)}` : text.slice(0, time);
}
