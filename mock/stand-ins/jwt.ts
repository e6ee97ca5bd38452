/** `src/tokens/jwt.ts` in the bundle: the mock signs no tokens, so each text is a static token. */
export const createTokenReader = () => (token: string) => ({ kind: 'static', token })
