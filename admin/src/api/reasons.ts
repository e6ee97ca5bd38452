/**
 * Reasons of the server in another language than English. Most have one form, "Expected X for Y but received Z.", and X is
 * one of a few kinds of things; the frequent ones among the others are known as a whole. What a language has no words for
 * stays as the server says it.
 */

/** `one of %{1}` → how the language says it; what stands for `%{1}` is put in. */
export type ReasonTexts = {
  readonly expected: string
  readonly place: string
  readonly received: string
  readonly things: Told
  /** Reasons of another form, as a whole. */
  readonly sentences: Told
}

type Told = { readonly [said: string]: string }

type Parts = { readonly expected: string; readonly place: string | undefined; readonly received: string | undefined }

const form =
  /^Expected (?<expected>.+?),?(?: for (?:the )?(?:field )?(?:"(?<place>[^"]+)"|body))?(?:,? but received (?<received>.+?))?\.?$/

const partsOf = (reason: string): Parts | null => (form.exec(reason)?.groups as Parts | undefined) ?? null

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** `at most %{1} rows` says what it is of any number. */
function lookedUp(text: string, table: Told): string | null {
  for (const [said, told] of Object.entries(table)) {
    const found = new RegExp(`^${escaped(said).replaceAll(/%\\\{\d\\\}/g, '(.+?)')}$`, 's').exec(text)
    if (found !== null) return told.replaceAll(/%\{(\d)\}/g, (_, at: string) => found[Number(at)] ?? '')
  }
  return null
}

/** The thing as a language says it; null for one that it has no words for. */
function thingOf(text: string, things: ReasonTexts['things']): string | null {
  if (/^(".*"|-?[\d.,]+|null|\{.*|\[.*)$/s.test(text)) return text
  const known = lookedUp(text, things)
  if (known !== null) return known
  const parts = text.split(' or ')
  const told = parts.length > 1 ? parts.map((part) => thingOf(part, things)) : [null]
  return told.includes(null) ? null : told.join(things['or'] ?? ' / ')
}

/** Null where the reason has another form, or a part that the language has no words for. */
export function reasonText(reason: string, texts: ReasonTexts): string | null {
  const sentence = lookedUp(reason.replace(/\.$/, ''), texts.sentences)
  if (sentence !== null) return sentence
  const parts = partsOf(reason)
  if (parts === null) return null
  const expected = thingOf(parts.expected, texts.things)
  const received = parts.received === undefined ? '' : thingOf(parts.received, texts.things)
  if (expected === null || received === null) return null
  return [
    texts.expected.replace('%{thing}', expected),
    parts.place === undefined ? '' : texts.place.replace('%{name}', parts.place),
    received === '' ? '' : texts.received.replace('%{thing}', received),
  ].join('')
}
