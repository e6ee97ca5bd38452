/** Linters of OpenAPI documents, in this process. */
import { createConfig, lintFromString } from '@redocly/openapi-core'
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core'
import spectralRulesets from '@stoplight/spectral-rulesets'

const { Spectral } = spectralCore
const { oas } = spectralRulesets

const severityNames = ['error', 'warning', 'information', 'hint']

/** Errors of the ruleset `spectral:oas`, each with its place. */
export async function lintBySpectral(document: object): Promise<readonly string[]> {
  const spectral = new Spectral()
  spectral.setRuleset({ extends: [[oas as RulesetDefinition, 'recommended']] })
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

/** Errors of the ruleset `recommended`, each with its place. */
export async function lintByRedocly(document: object): Promise<readonly string[]> {
  const config = await createConfig({ extends: ['recommended'] })
  const found = await lintFromString({ source: JSON.stringify(document), absoluteRef: 'openapi.json', config })
  return found
    .filter(({ severity }) => severity === 'error')
    .map(({ ruleId, message, location: [first] }) => `${ruleId} ${first?.pointer ?? ''}: ${message}`)
}
