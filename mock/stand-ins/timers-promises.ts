/** `node:timers/promises` in the bundle. */
export const setTimeout = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => void globalThis.setTimeout(resolve, milliseconds))
