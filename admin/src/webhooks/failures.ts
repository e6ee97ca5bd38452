/** Why a delivery failed, in the language of the interface: the server says it in a few sentences. */
type Translate = (key: string, values?: object) => string

const sentences: readonly (readonly [sentence: RegExp, text: string])[] = [
  [/^The receiver answered (\d+), and redirects are not followed$/, 'app.webhooks.redirected'],
  [/^The receiver answered (\d+)$/, 'app.webhooks.answered'],
  [/^The receiver did not answer in time$/, 'app.webhooks.late'],
  [/^The receiver could not be reached$/, 'app.webhooks.unreachable'],
  [/^The address is not allowed/, 'app.webhooks.not_allowed'],
]

/** The server's own words where they are others. */
export function failureText(reason: string, translate: Translate): string {
  for (const [sentence, text] of sentences) {
    const found = sentence.exec(reason)
    if (found !== null) return translate(text, { status: found[1] })
  }
  return reason
}
