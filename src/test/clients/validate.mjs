// Validates an OpenAPI file, and fails with the mistakes.
import SwaggerParser from '@apidevtools/swagger-parser'

const api = await SwaggerParser.validate(process.argv[2])
console.log(`${api.swagger} ${Object.keys(api.paths).length > 0}`)
