/** The value of a text of JSON; `otherwise` for a text that is no JSON. */
export function parseOr(
  text: string,
  otherwise: unknown,
  parse: (text: string) => unknown = (json) => JSON.parse(json) as unknown,
): unknown {
  try {
    return parse(text)
  } catch {
    return otherwise
  }
}
