/** In place of keys for entries of the framework's menu, which this application does not use. */
export const useHotkeys = (): void => {}
