// A dictionary of the things that tools do and the words people use for them, for tools in general and not for any server. One
// meaning a line: words before the slash mean about the same as each other, words after it are only close to those before it.
// `_` joins a phrase, `~` a phrase whose parts may stand apart ("put it aside").

/** Files, code, issues, reviews, messages, calendars and documents. */
export const office = `
  file document / attachment path text
  folder directory dir / path
  subfolder nested / tree recursive directory
  tree hierarchy structure / directory recursive nested
  size how_big how_large / bytes metadata
  large big huge / size
  small tiny little / size
  bytes size
  disk storage drive / space size
  space storage / size disk
  path location / file
  attachment upload / file
  content contents / text body inside
  inside contains contain / content list
  what_does_it_say / content read
  text string / content words
  pattern wildcard glob regex / match search
  several multiple bulk many batch at_once in_one_go together dozen / all group list
  single one individual / particular
  log logs / output history events print trace
  output logs / messages result
  history past previous earlier former / log revisions changes audit
  recent latest newest last / history list
  revision version edition / history
  version release / revision
  audit trail history / log check report
  change edit modification / update diff history
  changes edits modifications / diff history
  different difference / diff compare
  who_changed who_edited who_touched edited_by changed_by / history blame author changes
  who_wrote who_last_changed written_by / blame author
  author writer creator / user owner
  repository repo project / codebase code
  repo repository
  project repository / workspace
  open_source / repository public
  codebase source_code / repository code
  readme / file contents
  code source script program / repository function
  source / code file origin
  function method class symbol / code
  commit / revision change
  branch / line fork
  default_branch main_branch / branch
  local on_my_machine my_computer my_disk my_laptop hard_disk / locally
  working_copy checkout working_tree local_clone / local
  remote origin / upstream server
  version_control / repository git
  start_tracking / init repository
  untracked / clean
  uncommitted unstaged unsaved unfinished unconfirmed / changes working status
  staged index / add
  lost / search recover
  hard_reset / reflog reset
  merge_request mr / pull_request change
  pull_request pr / merge_request change
  propose suggest / create pull_request merge_request
  issue ticket / problem bug incident task defect
  bug defect / issue error fault
  problem / issue error
  report file raise_an_issue / create issue
  task todo to_do chore / item issue action job
  todo task to_do / item
  note remark / comment text memo
  comment remark note / message feedback reply
  comments remarks notes feedback / discussion review
  remark comment note / say
  discussion thread conversation debate / comments talk chat
  thread conversation discussion / replies messages
  reply answer response / comment message
  review feedback / comment check approval
  reviewer approver / review
  approval sign_off consent okay / approve review
  permission authorization clearance consent / approve allow prompt role access
  access permission rights / member
  permitted allowed / permission
  conflict clash collision clashing / overlap merge
  pipeline ci build / workflow job checks
  checks ci tests / status pass pipeline
  passed green / status
  touch affect / change
  emoji smiley / reaction
  reaction emoji / like
  draft unpublished pending / note
  label tag category / mark
  milestone iteration sprint / cycle
  sprint iteration / cycle
  assigned_to_me my_own / my assigned
  member participant / user people who access
  who_has_access / members permission
  group team organization / namespace
  team group organization / workspace members
  workspace organization / team
  organization company firm / team group
  user person people human / account profile member
  person human somebody individual / user member people
  human person / user people
  people users persons / members
  colleague coworker / user member
  owner holder / user
  profile account / user details settings
  job_title / profile user
  me myself whoami who_am_i / current user self
  self me / current user
  logged_in signed_in / current user whoami
  identity / user account
  bot agent assistant / robot app
  agent bot assistant / robot
  assistant agent bot helper
  message text post / note chat send communication
  said written talked discussed / history messages
  announcement announce / post message
  channel room chat / group
  chat conversation / message channel
  dm direct_message / message user
  mail email e_mail / message inbox
  inbox mailbox / mail
  notification alert / message
  contact address_book / person
  calendar agenda diary / events schedule
  schedule timetable agenda / calendar plan
  event appointment meeting / calendar date
  appointment meeting event / calendar date
  meeting appointment event conference / calendar call
  lunch dinner breakfast party dentist birthday / event calendar
  postpone reschedule / update move event
  decline accept attend / respond invitation
  invitation invite / event attend respond
  attendee guest participant / invite event
  free_busy free available availability / slot calendar
  when_am_i free_time / available calendar
  date day / time
  time hour clock / date now
  what_time time_is_it what_date / current time date
  timezone time_zone / time
  today current_time / date
  duration how_long / time travel
  deadline due overdue / date expired
  overdue expired late / due
  recurring repeating repeat periodic every_month every_day every_week every_year each_month each_day each_week each_year regular automatic automatically / series schedule monthly weekly yearly daily
  monthly / month recurring
  weekly / week recurring
  yearly annual / year recurring
  daily / day recurring
  period interval span / time month range
  page document / web
  document page / file
  block paragraph section / text
  paragraph block / text section
  bullet bullet_point list_item / block
  heading title / header
  title heading name / headline
  minutes / notes meeting page
  markdown md / text
  wiki / pages documentation
  template / pattern
  documentation docs manual guide / knowledge reference help
  knowledge docs / information facts
  instruction guidance guide help directions manual how_to / steps documentation explain
  guidance instruction guide / steps
  health alive up_and_running online reachable respond responding / availability status ping working
  ping reachable alive / health
  working functional / health status
  missing gone vanished disappeared unavailable / available lost
  availability available / free busy health capability
  capability feature ability / available tool
  tool function / capability
  status state progress condition / health outcome check
  state status condition / progress
  progress status / percentage completion state
  outcome result / status output
  result output outcome / answer
  fail failed failure / error status
  finish finished done complete / status outcome
  job task run work / execution process pipeline
  workload job / work pod
  execution run job / work process
  operation job process / action run
  while long_running / operation long
  question ask / query
  overview / list summary all
  number figure / count
  random / sample
  reference link / pointer
  configuration config settings preferences / options setup profile
  setting option preference / configuration profile
  prompt ask confirm / approval
  environment env / variables settings
  variable env / value
  terminal shell command_line cli bash / command console
  command shell / run execute
  package library dependency / module
  token key credential / auth secret
  secret credential password / token key
  entity node concept / object
  relation relationship connection edge / link
  fact observation / information
  memory knowledge / remember
  works_for married_to lives_in belongs_to related_to / relation
  know known / memory search
  thought reasoning / thinking
  think ponder / thinking thought reasoning
  step_by_step / sequential thinking
  changelog release_notes what_is_new / history changes
  description summary / text about
  catalog catalogue / list
  context / current environment
  worker executor / job process
  requirement necessity prerequisite / guidance
  registration enrollment sign_up onboarding / register
  birthday anniversary / event date
  outline structure / overview
  duplicate copy / same
  deadline due_date / date
  heading headline / title
  folder_structure file_tree / directory tree
  owner author / user
  recipient addressee / user
  signature / sign
  vacation holiday absence / calendar
`
