export type AnswerRow = { readonly [name: string]: string | number | null }

/** Runs a statement and gives its rows as objects. */
export type Ask = (text: string, values?: readonly string[]) => Promise<readonly AnswerRow[]>
