/** `src/images/images.ts` in the bundle: no folders of pictures are made, so none is removed. */
export const removeFolder = async (): Promise<void> => undefined
