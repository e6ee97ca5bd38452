/**
 * Numbers of JSON that a double cannot hold. The server keeps their digits; within the application, where `JSON.parse`
 * would round them, each is a text: a mark and the digits. Texts of JSON that leave the application have the digits.
 */

/** A character for private use, which no text of people begins with. */
const mark = '\uE000'

/** Strings, which are left alone, and numbers. */
const tokens = /"(?:[^"\\]|\\.)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** Text with such a number has at least so many digits, or a large exponent. */
const suspicious = /(?:\d\.?){16}|\d[eE][+-]?\d{3}/

/** JSON whose numbers `JSON.parse` keeps. */
export const withMarks = (json: string): string =>
  suspicious.test(json)
    ? json.replaceAll(tokens, (token) => (token.startsWith('"') || isHeld(token) ? token : `"${mark}${token}"`))
    : json

/** JSON with the digits of its numbers. */
export const withoutMarks = (json: string): string =>
  json.includes(mark)
    ? json.replaceAll(tokens, (token) => (token.startsWith(`"${mark}`) ? token.slice(2, -1) : token))
    : json

/** The digits of a marked number; another text as it is. */
export const withoutMark = (text: string): string => (text.startsWith(mark) ? text.slice(1) : text)

const isHeld = (token: string): boolean => digitsOf(String(Number(token))) === digitsOf(token)

/** The digits without zeros around them, and the place of the point. */
function digitsOf(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? []
  const digits = `${whole}${fraction}`.replace(/^0+/, '')
  const stored = digits.replace(/0+$/, '')
  if (stored === '') return whole === '' ? text : '0'
  return `${sign}${stored}e${Number(exponent) - fraction.length + digits.length - stored.length}`
}
