/** In place of a library for English words: resources and fields have labels of their own. */
import { toTitle } from '../model/names.ts'

const same = (word: string): string => word

export const humanize = toTitle
export const transform = toTitle
export const capitalize = toTitle
export const inflect = same
export const pluralize = same
export const singularize = same
