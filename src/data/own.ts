/** What a table says under a name: names come from data, and may be those of what every object has (constructor). */
export function own<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
