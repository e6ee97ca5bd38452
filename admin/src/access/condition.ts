/** A condition as the server writes it, `status _eq "published" and author _null`, as a filter of the API. */

type Filter = { readonly [name: string]: unknown }

const tokens = /"(?:[^"\\]|\\.)*"|\$NOW\([^)]*\)|\{.*?\}(?=$|[\s,\])])|[()[\],]|[^\s()[\],"]+(?:\([^)]*\))?/g

/** Null for a text that is no condition. */
export function toFilter(text: string): Filter | null {
  const reader = new Reader(text.match(tokens) ?? [])
  const filter = reader.list()
  return reader.isDone ? filter : null
}

class Reader {
  readonly #words: readonly string[]
  #at = 0

  constructor(words: readonly string[]) {
    this.#words = words
  }

  get isDone(): boolean {
    return this.#at === this.#words.length
  }

  list(): Filter | null {
    const parts = [this.#part()]
    const word = this.#words[this.#at] === 'or' ? 'or' : 'and'
    while (this.#takes(word)) parts.push(this.#part())
    if (parts.includes(null)) return null
    return parts.length === 1 ? (parts[0] ?? null) : { [`_${word}`]: parts }
  }

  #takes(...words: readonly string[]): boolean {
    if (!words.every((word, at) => this.#words[this.#at + at] === word)) return false
    this.#at += words.length
    return true
  }

  #next(): string {
    this.#at += 1
    return this.#words[this.#at - 1] ?? ''
  }

  #part(): Filter | null {
    if (this.#takes('(')) return this.#closed(this.list())
    if (this.#takes('not', '(')) {
      const inner = this.#closed(this.list())
      return inner === null ? null : { _not: inner }
    }
    const name = this.#next()
    const isRelated = this.#words[this.#at + 1] === 'has' && this.#words[this.#at + 2] === '('
    if (!isRelated || (name !== 'some' && name !== 'none')) return this.#comparison(name)
    const field = this.#next()
    this.#at += 2
    const inner = this.#closed(this.list())
    return inner === null ? null : { [field]: { [`_${name}`]: inner } }
  }

  #closed(inner: Filter | null): Filter | null {
    return this.#takes(')') ? inner : null
  }

  #comparison(field: string): Filter | null {
    const operator = this.#next()
    if (!/^_[a-z_]+$/.test(operator)) return null
    const following = this.#words[this.#at]
    const hasValue = following !== undefined && !['and', 'or', ')'].includes(following)
    return { [field]: { [operator]: hasValue ? this.#value() : true } }
  }

  #value(): unknown {
    if (!this.#takes('[')) return toValue(this.#next())
    const values: unknown[] = []
    while (!this.isDone && !this.#takes(']')) if (!this.#takes(',')) values.push(toValue(this.#next()))
    return values
  }
}

/** Values are JSON; those that the server puts in, such as `$CURRENT_USER`, are not. */
function toValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
