/** The message of an error of an input: those of validators are keys behind a mark, those of the server are text. */
export function toProblem(error: string, translate: (key: string, values?: object) => string): string {
  const text = error.replace('@@react-admin@@', '')
  if (text === error) return translate(error)
  const message = JSON.parse(text) as string | { readonly message: string; readonly args: object }
  return typeof message === 'string' ? translate(message) : translate(message.message, message.args)
}
