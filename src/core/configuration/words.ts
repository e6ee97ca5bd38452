/** Words for changes of a plan. */

type Values = { readonly before: unknown; readonly after: unknown; readonly secrets: ReadonlySet<string> }

/** `name before → after`, without secrets. */
export function describeValues(name: string, { before, after, secrets }: Values): string {
  const [old, fresh] = [textOf(before), textOf(after)]
  const isSecret = [...secrets].some((secret) => old.includes(jsonText(secret)) || fresh.includes(jsonText(secret)))
  return isSecret ? `${name} (a secret)` : `${name} ${shortened(old)} → ${shortened(fresh)}`
}

const textOf = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value))

/** As it stands within JSON. */
const jsonText = (secret: string): string => JSON.stringify(secret).slice(1, -1)

const shortened = (text: string): string => (text.length > 80 ? `${text.slice(0, 79)}…` : text)
