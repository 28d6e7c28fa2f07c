metadata description = 'Types of parameters that several files take.'

@export()
@description('Tags of every resource.')
type resourceTags = {
  @description('The azd environment that the resource belongs to.')
  'azd-env-name': string
}

@export()
@description('App settings, name by value.')
type appSettings = {
  *: string
}
