declare module 'xml-encryption' {
  /** Decrypts EncryptedData with a private key (PEM). */
  export function decrypt(
    xml: string,
    options: { readonly key: string; readonly disallowDecryptionWithInsecureAlgorithm?: boolean },
    callback: (error: Error | null, text: string) => void,
  ): void
}
