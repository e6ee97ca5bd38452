/** The provider and this server as another library of SAML knows them. */
import { Constants, IdentityProvider, ServiceProvider, setSchemaValidator } from 'samlify'
import type { SigningKey } from './certificate.ts'
import { samlKey, samlMetadata } from './played-saml.ts'
import { logoutService } from './played-saml-logout.ts'

/** Both sides of the provider `corp`; `own` is the key of the server. */
export function openOtherLibrary(url: string, own: SigningKey) {
  setSchemaValidator({ validate: () => Promise.resolve('skipped') })
  const { redirect, post } = Constants.namespace.binding
  // Whoever gets a message says whether it has to be signed.
  const signed = { wantLogoutRequestSigned: true, wantLogoutResponseSigned: true }
  const sp = ServiceProvider({
    ...signed,
    entityID: `${url}/auth/login/corp/metadata`,
    signingCert: own.certificate,
    singleLogoutService: [redirect, post].map((Binding) => ({ Binding, Location: `${url}/auth/login/corp/slo` })),
  })
  const idp = IdentityProvider({
    metadata: samlMetadata({}, logoutService),
    privateKey: samlKey.key,
    ...signed,
  })
  return { sp, idp }
}

/** The parameters of an address, and the text that its signature covers. */
export function readSignedQuery(address: string) {
  const { search, searchParams } = new URL(address)
  return { query: Object.fromEntries(searchParams), octetString: search.slice(1).replace(/&Signature=.*$/, '') }
}
