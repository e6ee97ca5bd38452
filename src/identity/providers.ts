/** Creates the providers of a project. No provider gets a request before the first login. */
import type { Provider, Providers, RedirectProvider } from '../domain/ports/providers.ts'
import { createLdap } from './ldap.ts'
import { createOAuth } from './oauth.ts'
import { createOAuthOne } from './oauth-one.ts'
import { createOpenId } from './openid.ts'
import type { Dependencies } from './openid-client.ts'
import type { ProviderSettings, ProvidersSettings } from './settings.ts'

/** The providers, in order. Throws for metadata of SAML that cannot be used. */
export const createProviders = async (settings: ProvidersSettings, around: Dependencies): Promise<Providers> => ({
  list: await Promise.all(settings.list.map((each) => createProvider(each, around))),
  disableDefault: settings.disableDefault,
  publicUrls: settings.publicUrls,
})

async function createProvider(settings: ProviderSettings, around: Dependencies): Promise<Provider> {
  const { name, driver, label, icon, accounts } = settings
  const facts = { name, driver, label, icon, accounts }
  if (settings.driver === 'local') return { ...facts, kind: 'local' }
  if (settings.driver === 'ldap') return { ...facts, kind: 'password', ...createLdap(settings, around) }
  const { mode, pages } = settings
  const none = { accept: null, renew: null, readLogoutToken: null, logout: null, describe: null } as const
  return {
    ...facts,
    kind: 'redirect',
    mode,
    pages,
    answersBy: 'query',
    ...none,
    ...(await createSteps(settings, around)),
  }
}

type Steps = Pick<RedirectProvider, 'begin' | 'finish'> &
  Partial<Pick<RedirectProvider, 'accept' | 'describe' | 'renew' | 'readLogoutToken' | 'logout'>>

async function createSteps(
  settings: Exclude<ProviderSettings, { readonly driver: 'local' | 'ldap' }>,
  around: Dependencies,
): Promise<Steps & Partial<Pick<RedirectProvider, 'answersBy'>>> {
  switch (settings.driver) {
    case 'openid':
      return createOpenId(settings, around)
    case 'oauth2':
      return createOAuth(settings, around)
    case 'oauth1':
      return createOAuthOne(settings, around)
    case 'saml': {
      const { createSaml } = await import('./saml.ts')
      return { ...(await createSaml(settings, around)), answersBy: 'form' }
    }
  }
}
