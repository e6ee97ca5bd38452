/** Linters of OpenAPI documents, in this process. */
import { createConfig, lintFromString } from '@redocly/openapi-core'
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core'
import spectralRulesets from '@stoplight/spectral-rulesets'

const { Spectral } = spectralCore
const { oas } = spectralRulesets

const severityNames = ['error', 'warning', 'information', 'hint']

/** Rules about examples: Spectral compiles the schema of each with all that it names, which takes half a minute. */
const askedOfRedocly = { 'oas3-valid-media-example': 'off', 'oas3-valid-schema-example': 'off' } as const

/** Errors of the ruleset `spectral:oas`, each with its place, except those in examples and defaults. */
export async function lintBySpectral(document: object): Promise<readonly string[]> {
  const spectral = new Spectral()
  spectral.setRuleset({ extends: [[oas as RulesetDefinition, 'recommended']], rules: askedOfRedocly })
  const found = await spectral.run(withPlainPaths(document))
  return found
    .filter(({ severity }) => severityNames[severity] === 'error')
    .map(({ code, path, message }) => `${code} ${path.join('.')}: ${message}`)
}

/** Without paths that are percent-encoded: Spectral decodes them, and does not find them again. */
function withPlainPaths(document: object): Record<string, unknown> {
  const { paths = {}, ...rest } = document as { readonly paths?: object }
  return { ...rest, paths: Object.fromEntries(Object.entries(paths).filter(([path]) => !path.includes('%'))) }
}

const exampleRules = {
  'no-invalid-schema-examples': 'error',
  'no-invalid-parameter-examples': 'error',
  'no-invalid-media-type-examples': 'error',
} as const

/** Errors of the ruleset `recommended`, and examples and defaults that do not fit, each with its place. */
export async function lintByRedocly(document: object): Promise<readonly string[]> {
  const config = await createConfig({ extends: ['recommended'], rules: exampleRules })
  const ofDefaults = await createConfig({ rules: { 'no-invalid-schema-examples': 'error' } })
  const found = await Promise.all([errorsOf(document, config), errorsOf(withDefaultsAsExamples(document), ofDefaults)])
  return found.flat()
}

async function errorsOf(document: object, config: Awaited<ReturnType<typeof createConfig>>): Promise<string[]> {
  const found = await lintFromString({ source: JSON.stringify(document), absoluteRef: 'openapi.json', config })
  return found
    .filter(({ severity }) => severity === 'error')
    .map(({ ruleId, message, location: [first] }) => `${ruleId} ${first?.pointer ?? ''}: ${message}`)
}

/** Redocly checks examples, but not defaults. */
const withDefaultsAsExamples = (document: object): object =>
  JSON.parse(
    JSON.stringify(document, (key, value: unknown) => {
      const hasDefault = typeof value === 'object' && value !== null && 'default' in value
      return hasDefault && key !== 'properties' ? { ...value, example: value.default } : value
    }),
  ) as object
