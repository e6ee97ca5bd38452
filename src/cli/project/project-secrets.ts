/** Secrets by reference: `$env:NAME` stands for the value of a variable of the environment. */
import { secretSettings } from '../../core/configuration/compare-records.ts'
import type { Entry } from '../../domain/ports/configuration.ts'

export type Variables = { readonly [name: string]: string | undefined }

/** A secret of the settings whose variable is not set: what is stored stays. */
export type MissingSecret = { readonly setting: string; readonly variable: string }

/** Whether files hold the setting as a reference only. */
export const isSettingSecret = (name: string): boolean => secretSettings.has(name)

const reference = /^\$env:([A-Za-z_]\w*)$/

/** Puts references in place of secrets, and marks texts that only look like references. */
export function withReferences(single: 'settings' | 'presets' | 'webhooks' | null, content: unknown): unknown {
  if (single === 'settings') {
    return Object.fromEntries(
      Object.entries(content as Entry).map(([name, value]) => [
        name,
        secretSettings.has(name) && typeof value === 'string' ? new Reference(secretSettings.get(name) ?? '') : value,
      ]),
    )
  }
  if (single === 'webhooks') {
    return (content as readonly Entry[]).map(({ headers, secret, ...entry }) => ({
      ...entry,
      ...(headers === undefined ? {} : { headers: asReferences(headers) }),
      ...(secret === undefined ? {} : { secret: asReferences(secret) }),
    }))
  }
  return single === null ? mapTexts(content, (text) => (/^\$+env:/.test(text) ? `$${text}` : text)) : content
}

/** Whether the text at the path is a secret or a header of a webhook, which stay as they are while their variable is not set. */
export const isWebhookSecret = (kind: string, [, name, , part, ...rest]: readonly string[]): boolean =>
  kind === 'webhooks' && (name === 'secret' || (name === 'headers' && part === 'value' && rest.length === 0))

/** The value with references in place of texts that begin as one. */
function asReferences(value: unknown): unknown {
  if (typeof value === 'string') return value.startsWith('$env:') ? new Reference(value.slice('$env:'.length)) : value
  if (Array.isArray(value)) return value.map(asReferences)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, asReferences(each)]))
}

/** Told from texts that look like one. */
class Reference {
  readonly variable: string

  constructor(variable: string) {
    this.variable = variable
  }
}

type Resolving = {
  readonly variables: Variables
  readonly onSecret: (secret: string) => void
  /** Replaces a reference whose variable is not set. */
  readonly unset: (path: readonly string[], variable: string) => string
}

/** Puts the values of the variables in place of the references. */
export function resolveSecrets(content: unknown, { variables, onSecret, unset }: Resolving): unknown {
  return mapTexts(content, (text, path) => {
    if (/^\$\$+env:/.test(text)) return text.slice(1)
    const variable = reference.exec(text)?.[1]
    if (variable === undefined) return text
    const value = variables[variable]
    if (value === undefined || value === '') return unset(path, variable)
    onSecret(value)
    return value
  })
}

function mapTexts(
  value: unknown,
  change: (text: string, path: readonly string[]) => string,
  path: readonly string[] = [],
): unknown {
  if (typeof value === 'string') return change(value, path)
  if (value instanceof Reference) return `$env:${value.variable}`
  if (Array.isArray(value)) return value.map((each, at) => mapTexts(each, change, [...path, String(at)]))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mapTexts(each, change, [...path, key])]))
}
