export default {
  numera: { input: process.env.DOCUMENT, output: { target: 'orval/numera.ts', client: 'fetch', baseUrl: process.env.NUMERA_URL } },
}
