/** `src/metadata/side-process.ts` in the bundle: nothing is read from contents. */
export const nothing = { metadata: {}, width: null, height: null, duration: null } as const

export const readInSideProcess = async () => nothing
