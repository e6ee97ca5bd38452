/** Creates the providers of a project. No provider is asked before the first login. */
import type { Provider, Providers } from '../domain/ports/providers.ts'
import { createOAuth } from './oauth.ts'
import { createOpenId } from './openid.ts'
import type { Surroundings } from './openid-client.ts'
import type { ProviderSettings, ProvidersSettings } from './settings.ts'

/** The providers, in order. */
export const createProviders = (settings: ProvidersSettings, around: Surroundings): Providers => ({
  list: settings.list.map((each) => createProvider(each, around)),
  disableDefault: settings.disableDefault,
  publicUrls: settings.publicUrls,
})

function createProvider(settings: ProviderSettings, around: Surroundings): Provider {
  const { name, driver, label, icon, accounts } = settings
  const facts = { name, driver, label, icon, accounts }
  if (settings.driver === 'local') return { ...facts, kind: 'local' }
  const { mode, pages } = settings
  const steps = settings.driver === 'openid' ? createOpenId(settings, around) : createOAuth(settings, around)
  return { ...facts, kind: 'redirect', mode, pages, ...steps }
}
