/** Creates the providers of a project. No provider is asked before the first login. */
import type { Provider, Providers, RedirectProvider } from '../domain/ports/providers.ts'
import { createLdap } from './ldap.ts'
import { createOAuth } from './oauth.ts'
import { createOAuthOne } from './oauth-one.ts'
import { createOpenId } from './openid.ts'
import type { Dependencies } from './openid-client.ts'
import type { ProviderSettings, ProvidersSettings } from './settings.ts'

/** The providers, in order. */
export const createProviders = (settings: ProvidersSettings, around: Dependencies): Providers => ({
  list: settings.list.map((each) => createProvider(each, around)),
  disableDefault: settings.disableDefault,
  publicUrls: settings.publicUrls,
})

function createProvider(settings: ProviderSettings, around: Dependencies): Provider {
  const { name, driver, label, icon, accounts } = settings
  const facts = { name, driver, label, icon, accounts }
  if (settings.driver === 'local') return { ...facts, kind: 'local' }
  if (settings.driver === 'ldap') return { ...facts, kind: 'password', ...createLdap(settings, around) }
  const { mode, pages } = settings
  return { ...facts, kind: 'redirect', mode, pages, ...createSteps(settings, around) }
}

function createSteps(
  settings: Exclude<ProviderSettings, { readonly driver: 'local' | 'ldap' }>,
  around: Dependencies,
): Pick<RedirectProvider, 'begin' | 'finish'> {
  switch (settings.driver) {
    case 'openid':
      return createOpenId(settings, around)
    case 'oauth2':
      return createOAuth(settings, around)
    case 'oauth1':
      return createOAuthOne(settings, around)
  }
}
