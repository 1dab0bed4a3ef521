/** Short and long forms of one word; `_` joins a phrase. */
export const abbreviations = `
  mr merge_request
  pr pull_request
  repo repository
  db database
  dir directory folder
  doc docs documentation
  config configuration
  env environment
  info information
  stats statistics
  img image
  pic picture
  vid video
  app application
  auth authentication
  authn authentication
  authz authorization
  k8s kubernetes
  cfg configuration
  msg message
  dm direct_message
  id identifier
  url link
  admin administrator
  org organization
  dev development
  prod production
  spec specification
  calc calculate
  del delete
  ls list
  rm remove
  mv move
  cp copy
  mkdir create_directory
  md markdown
  js javascript
  ts typescript
  py python
  csv spreadsheet
  e_mail email mail
  screenshot screen_shot
  todo to_do
  whoami who_am_i
  ticket issue
  folder directory
  photo picture image
  usd dollar
  eur euro
  cents cent
  max maximum
  min minimum
  num number
  qty quantity
  acct account
  pkg package
  param parameter
  args arguments
  attr attribute
  prop property
  ref reference
  tz timezone
  lat latitude
  lng longitude
  ci continuous_integration
`
