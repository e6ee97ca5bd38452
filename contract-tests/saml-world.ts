/** A server with SAML providers, which the tests play. */

import { type LoginBrowser, openBrowser } from './login-browser.ts'
import { answerSaml, entity, type Person, readSamlRequest, type SamlLies, samlMetadata } from './played-saml.ts'
import { editors, openProvidersWorld, type ProvidersWorld } from './providers-world.ts'

export const ada: Person = {
  id: 'ada-1',
  attributes: {
    'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress': 'Ada@Example.com',
    'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/givenname': 'Ada',
    'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/surname': 'Lovelace',
    groups: ['staff', 'editors'],
  },
}

/** Metadata of another provider with the same key; only its name is another one. */
export const otherEntity = `${entity}/other`

export const samlSettings: { readonly [name: string]: string } = {
  AUTH_PROVIDERS: 'keycloak,corp,other,portal',
  AUTH_CORP_DRIVER: 'saml',
  AUTH_CORP_LABEL: 'Corporation',
  AUTH_CORP_IDP_metadata: samlMetadata(),
  AUTH_CORP_ALLOW_PUBLIC_REGISTRATION: 'true',
  AUTH_CORP_REDIRECT_ALLOW_LIST: 'https://app.example.com/done',
  AUTH_CORP_ROLE_MAPPING: JSON.stringify({ editors }),
  AUTH_OTHER_DRIVER: 'saml',
  AUTH_OTHER_IDP_metadata: samlMetadata({ issuer: otherEntity }),
  AUTH_OTHER_ALLOW_PUBLIC_REGISTRATION: 'true',
  AUTH_PORTAL_DRIVER: 'saml',
  AUTH_PORTAL_IDP_metadata: `<?xml version="1.0" encoding="UTF-8"?>\n<!-- for people -->${samlMetadata()}`,
  AUTH_PORTAL_SP_metadata:
    '<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="urn:tandem:portal"><SPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"/></EntityDescriptor>',
  AUTH_PORTAL_ALLOW_PUBLIC_REGISTRATION: 'true',
  AUTH_PORTAL_ALLOW_UNSOLICITED: 'true',
  AUTH_PORTAL_REDIRECT_ALLOW_LIST: 'https://app.example.com/done',
}

export const openSamlWorld = (more: { readonly [name: string]: string } = {}): Promise<ProvidersWorld> =>
  openProvidersWorld({ ...samlSettings, ...more })

/** Logs a person in: the answer to the browser that came back. */
export async function logInBySaml(
  url: string,
  {
    name = 'corp',
    person = ada,
    query = '',
    lies = {},
    browser = openBrowser(url),
  }: {
    readonly name?: string
    readonly person?: Person
    readonly query?: string
    readonly lies?: SamlLies
    readonly browser?: LoginBrowser
  } = {},
) {
  const request = readSamlRequest(await browser.begin(name, query))
  return { ...(await browser.post(request.callback, answerSaml(request, person, lies))), browser }
}
