import { defineConfig } from 'vite'

/** The page that the server makes names the first script and the styles; everything else is found by them. */
export default defineConfig({
  // Relative, so that the editor also works behind a path prefix.
  base: './',
  build: {
    target: 'es2022',
    cssCodeSplit: false,
    chunkSizeWarningLimit: 8000,
    rollupOptions: {
      input: 'src/graphiql.tsx',
      // Libraries mark modules for servers that render React.
      onwarn: (warning, warn) => {
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning)
      },
      output: {
        entryFileNames: 'graphiql.js',
        chunkFileNames: '[name]-[hash].js',
        assetFileNames: ({ names }) =>
          names.some((name) => name.endsWith('.css')) ? 'graphiql.css' : '[name]-[hash][extname]',
      },
    },
  },
  worker: { format: 'es', rollupOptions: { output: { entryFileNames: '[name]-[hash].js' } } },
})
