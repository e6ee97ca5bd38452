/** What an error of the server means, in the language of the interface: by its code and the values that come with it. */

import { toText } from '../model/to-text.ts'

export type Failure = {
  readonly message?: string
  readonly extensions?: { readonly code?: string; readonly field?: string; readonly [value: string]: unknown }
}

/** `<code>` → text, with `%{value}` for values of the answer; `rules` has one for each rule that a value can break. */
export type ProblemTexts = {
  readonly [code: string]: string | { readonly [rule: string]: string }
  readonly rules: { readonly [rule: string]: string }
}

let texts: ProblemTexts = { rules: {} }
/** A reason of the server in the language of the interface; null where the server's own words are all there is. */
export type ToReason = (reason: string) => string | null

let toldReason: ToReason = () => null

/** Told by the provider of texts, whenever the language changes. */
export const setProblemTexts = (next: ProblemTexts, toReason: ToReason = () => null): void => {
  texts = next
  toldReason = toReason
}

const toWords = (value: unknown): string => (Array.isArray(value) ? value.map(toWords).join(', ') : toText(value))

/** Null where a value is missing that the text names. */
function filled(text: string, values: { readonly [name: string]: unknown }): string | null {
  const names = [...text.matchAll(/%\{(\w+)\}/g)].map(([, name = '']) => name)
  if (names.some((name) => toWords(values[name]) === '')) return null
  return text.replaceAll(/%\{(\w+)\}/g, (_, name: string) => toWords(values[name]))
}

/** Only the sentence of the server names the field or the collection that may not be used. */
function deniedIn(message: string): string | null {
  const names = /(?:field "(?<field>.+)" in )?collection "(?<collection>.+)" or it does not exist/.exec(message)?.groups
  if (names === undefined) return null
  return filled(plainProblem(names['field'] === undefined ? 'denied_collection' : 'denied_field'), names)
}

/** The text for a code, and a reason that the server adds; the server's own sentence where there is no text. */
export function problemText({ message = '', extensions = {} }: Failure): string {
  const { code = '', type, reason } = extensions
  const rules = typeof type === 'string' && Object.hasOwn(texts.rules, type) ? texts.rules[type] : undefined
  const general = code !== 'rules' && Object.hasOwn(texts, code) ? texts[code] : undefined
  if (code === 'FAILED_VALIDATION') {
    // The project's own message for the field is the reason.
    if (typeof reason === 'string') return reason
    return (
      (type === 'type' ? toldReason(message) : null) ??
      (rules === undefined ? null : filled(rules, extensions)) ??
      message
    )
  }
  if (code === 'FORBIDDEN') {
    const denied = deniedIn(message)
    if (denied !== null) return denied
  }
  const shown = typeof reason === 'string' ? (toldReason(reason) ?? reason) : null
  const text =
    typeof general === 'string' ? filled(general, shown === null ? extensions : { ...extensions, reason: shown }) : null
  if (text === null || typeof general !== 'string') return message
  return shown === null || general.includes('%{reason}') ? text : `${text} ${shown}`
}

/** What stands for a code that no answer of the server has, such as `network`. */
export const plainProblem = (code: string): string => {
  const text = texts[code]
  return typeof text === 'string' ? text : code
}
