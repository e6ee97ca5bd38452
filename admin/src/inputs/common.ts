import type { Validator } from 'react-admin'

/** What inputs of all kinds take. */
export type Common = {
  readonly source: string
  readonly label: string
  readonly helperText: string | false
  readonly readOnly: boolean
  readonly validate: Validator[]
  readonly placeholder?: string
}
