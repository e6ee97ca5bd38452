/**
 * The entries of a list that is stored with commas. Version 8 can store one more at each end, so that every entry stands
 * between two.
 * @example csvEntries(',sea,sky,') // ['sea', 'sky']
 */
export function csvEntries(stored: string): readonly string[] {
  const inner = /^,(.*),$/s.exec(stored)?.[1] ?? stored
  return inner === '' ? [] : inner.split(',')
}
