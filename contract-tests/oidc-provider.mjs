/** A real OpenID Connect provider in a process of its own. It logs everybody in whom `login_hint` names. */
import { createServer } from 'node:http'
import { Provider } from 'oidc-provider'

const [callback = '', key = ''] = process.argv.slice(2)
const server = createServer()
server.listen(0, '127.0.0.1', () => {
  const issuer = `http://127.0.0.1:${server.address().port}`
  const provider = new Provider(issuer, {
    clients: [
      { client_id: 'tandem', client_secret: 'secret-of-the-client', redirect_uris: [callback] },
      {
        client_id: 'lasting',
        client_secret: 'secret-of-the-lasting',
        redirect_uris: [callback.replace('certified', 'lasting')],
        grant_types: ['authorization_code', 'refresh_token'],
        backchannel_logout_uri: callback.replace('certified/callback', 'lasting/backchannel-logout'),
        backchannel_logout_session_required: true,
      },
      {
        client_id: 'form',
        client_secret: 'secret-of-the-form',
        redirect_uris: [callback.replace('certified', 'form')],
      },
      {
        client_id: 'signer',
        token_endpoint_auth_method: 'private_key_jwt',
        token_endpoint_auth_signing_alg: 'ES256',
        redirect_uris: [callback.replace('certified', 'signer')],
        jwks: { keys: [JSON.parse(key)] },
      },
    ].filter(({ jwks }) => jwks === undefined || jwks.keys[0].kty !== undefined),
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['given_name', 'family_name'] },
    findAccount: (_, sub) => ({
      accountId: sub,
      claims: () => ({ sub, email: `${sub}@example.com`, email_verified: true, given_name: 'Ada', family_name: sub }),
    }),
    // The test is on the same host, which its own guard refuses.
    fetch: (url, request) => fetch(url, { ...request, dispatcher: undefined }),
    pkce: { required: () => true },
    scopes: ['openid', 'offline_access', 'email', 'profile'],
    features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
    interactions: { url: (_, interaction) => `/interaction/${interaction.uid}` },
  })
  const answer = provider.callback()
  const consent = async (request, response) => {
    const { params, session } = await provider.interactionDetails(request, response)
    const accountId = session?.accountId ?? String(params.login_hint)
    const grant = new provider.Grant({ accountId, clientId: String(params.client_id) })
    grant.addOIDCScope(String(params.scope))
    const result = { login: { accountId }, consent: { grantId: await grant.save() } }
    await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: true })
  }
  server.on('request', (request, response) => {
    if (request.url?.startsWith('/interaction/')) void consent(request, response)
    else void answer(request, response)
  })
  process.stdout.write(`${issuer}\n`)
})
