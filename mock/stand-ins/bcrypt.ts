/** `src/tokens/bcrypt.ts` in the bundle: no text is a hash of bcrypt. */
const fail = (): never => {
  throw new Error('The mock has no bcrypt')
}

export const readRounds = (_stored: string): number | null => null
export const compareBcrypt = fail
export const hashBcrypt = fail
