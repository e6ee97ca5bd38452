/** What must be equal in two answers. */

export type AnswerFacts = {
  readonly status: number
  readonly body: unknown
  readonly headers: Readonly<Record<string, string | null>>
}

const compared = ['content-type', 'allow', 'ignored-fields', 'cache-control', 'vary', 'content-disposition']

/** The answer without what differs from run to run: moments and made keys. */
export async function tellOf(answer: Response): Promise<AnswerFacts> {
  const text = await answer.text()
  return {
    status: answer.status,
    body: usual(parsed(text)),
    headers: Object.fromEntries(compared.map((name) => [name, answer.headers.get(name)])),
  }
}

function parsed(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text)
  } catch {
    return text
  }
}

/** Errors come in the order of the columns, which a snapshot does not hold. */
function usual(value: unknown): unknown {
  if (typeof value === 'object' && value !== null && 'errors' in value && Array.isArray(value.errors)) {
    const errors = value.errors.map((each) => JSON.stringify(recent(each))).toSorted()
    const { data = null } = value as { readonly data?: unknown }
    return {
      data: recent(data),
      errors,
      error: errors.length > 1 ? null : recent((value as { readonly error?: unknown }).error),
    }
  }
  return recent(value)
}

/** Keys that a side has made; those of the worlds begin with zeros or are of notes. */
const made = /(?!00000000-|([123])\1{7}-)[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g

/** The digest of an item is that of the text that a side makes of it. */
const digest = /^[0-9a-f]{40}$/g

const hour = 3_600_000

/** A moment without an offset is one of UTC. */
const momentOf = (text: string): number =>
  Date.parse(/(Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text.replace(' ', 'T')}Z`)

function recent(value: unknown): unknown {
  if (typeof value === 'string') {
    const isMoment = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d/.test(value) && Math.abs(Date.now() - momentOf(value)) < hour
    return isMoment ? 'now' : value.replaceAll(made, 'made').replaceAll(digest, 'digest')
  }
  if (Array.isArray(value)) return value.map(recent)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, recent(each)]))
}
