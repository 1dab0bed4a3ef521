// A dictionary of the things that tools do and the words people use for them, for tools in general and not for any server. One
// meaning a line: words before the slash mean about the same as each other, words after it are only close to those before it.
// `_` joins a phrase, `~` a phrase whose parts may stand apart ("put it aside").

/** What one does. */
export const actions = `
  create make new / add open generate compose build establish start set_up
  add append attach include put~in / insert create register put enter
  insert put_into / add store write
  delete remove erase get_rid_of wipe throw~away / drop destroy clear discard trash purge eliminate take~off clean
  drop remove delete
  discard throw~away / delete reset clean undo
  clear empty clean / reset delete wipe
  cancel call~off abort / stop terminate end revoke abandon delete
  remove delete / uninstall unlink detach
  unlink disconnect / remove delete relation
  forget / delete remove
  revoke withdraw rescind invalidate take~away take~back pull~back / cancel end terminate remove retract
  unsubscribe cancel_subscription / cancel end
  update modify edit change alter amend revise adjust / patch set replace correct rewrite fix
  replace substitute swap exchange / update change overwrite
  rewrite overwrite / update replace write edit
  rename / retitle call_it name title change_name
  move relocate transfer shift / put reorganize
  copy duplicate clone replicate / fork
  list show enumerate show_all / get browse view display which overview every
  show get
  show display view see present / get read list print inspect look_at let_me_see
  get fetch retrieve obtain / read show find look_up load return pull
  read open / view show get contents look_inside cat
  search find look_for look_up seek locate hunt / query discover filter grep lookup
  query ask / search select request filter find
  find / lookup locate
  describe explain detail details / information info get show metadata
  info information metadata facts details / describe properties attributes about
  count how_many number_of / total quantity
  compare diff difference differences contrast differ / changes versus before_and_after
  send post publish submit deliver dispatch / write share message tell
  tell notify inform announce let_know alert / send post message warn
  warn alert notify / warning notification remind
  reply answer respond react / response comment
  react reaction emoji thumbs_up thumbsup / like respond
  approve accept confirm sign~off give_okay green_light / permit allow agree authorize
  reject decline refuse deny turn~down / disapprove
  authorize permit allow grant approve / pre_approve clearance permission okay
  start launch begin run trigger kick~off fire~up / execute initiate create
  run execute perform launch invoke / start call trigger
  stop halt terminate end kill shut~down / cancel close finish quit disable
  restart reboot relaunch bounce / rollout reload
  pause suspend / stop hold freeze
  resume continue unpause / restart
  retry repeat redo / again
  install deploy set~up / add
  uninstall / remove delete
  upgrade bump bring_up_to_date / update newer version newest
  deploy release roll~out ship / publish install rollout
  undo revert roll~back rollback restore go_back / reset discard
  restore recover bring~back / undo revert history
  save store persist keep / write record remember backup
  write save / create record put
  upload send_up / push attach file put import
  download save_locally / get fetch export
  export dump extract / download save backup write_out
  import load ingest / upload insert
  attach upload / file add
  open launch / read navigate start show
  close shut finish / end resolve stop dismiss
  finalize complete finish conclude / close settle
  merge combine integrate join unite / accept
  split divide separate / break
  join connect link / merge
  connect attach log~in / link open session
  disconnect detach log~out / close
  link relate associate / connect reference relation
  assign allocate give~to hand~out / set delegate
  share / send give_access
  subscribe follow watch / listen
  enable turn~on switch~on activate / toggle start
  disable turn~off switch~off deactivate / toggle stop
  toggle switch flip / enable disable change
  switch change swap / select toggle
  select choose pick / option switch
  filter narrow where / query search
  sort order arrange / rank
  check verify validate test examine inspect / confirm status see lint
  validate lint / check verify
  test try~out / check
  analyze analyse examine investigate study / inspect insight review
  inspect examine look_into / show debug get detail
  review assess evaluate / check comment feedback examine audit
  evaluate assess / run
  monitor watch track observe / follow status
  measure gauge / record profile trace metric
  record log register_that / save capture trace note write
  capture take grab snap / record screenshot
  wait pause_until sleep / until
  schedule plan book arrange / calendar event
  book reserve / schedule create
  reserve set~aside hold earmark put~aside block / authorize freeze
  stash put~aside shelve / save
  release free~up unlock unblock let_go / settle
  lock protect block / secure
  protect secure guard / lock restrict
  unprotect / unlock
  archive / store close
  compress zip gzip pack / archive
  decompress unzip extract unpack
  encrypt / secure
  convert transform translate turn_into / format
  translate / language convert
  summarize summarise sum_up condense digest recap / summary overview
  sum add~up total / calculate number
  calculate compute work~out figure~out / get count
  generate produce / create make draw render build
  draw render paint illustrate sketch / generate picture image chart make plot
  visualize plot chart graph depict illustrate draw / diagram display show picture generate
  render / generate draw
  type enter input write / fill text
  fill fill~in complete enter populate / form type set
  click press tap / button select
  press push hit / key click
  drag / drop move
  hover mouse_over move_the_mouse / mouse point
  scroll / move
  navigate go_to visit browse open open_page / load url page
  go_back return previous back / navigate undo history
  reload refresh / navigate again
  resize scale / size dimension enlarge shrink
  emulate simulate mimic imitate / pretend behave
  simulate / emulate test
  evaluate run_javascript execute_script / script
  handle deal_with respond / accept dismiss
  dismiss close / reject cancel
  push upload / publish send
  pull fetch download / get update
  commit check~in / save record
  checkout check~out switch / branch
  rebase / replay onto
  register enroll enrol sign~up onboard / create add join set_up
  settle pay~off / finalize close resolve pay
  pay settle purchase buy / spend charge payment transfer money
  buy purchase order / pay spend acquire
  charge bill debit / invoice pay cost
  bill charge invoice / cost
  refund reimburse give~back return_money money_back pay~back / credit return
  fund finance top~up / budget money give
  spend pay expend / cost purchase expense money
  raise increase bump~up lift / update higher replace
  lower decrease reduce cut / update replace
  reconcile match clear~up / settle resolve
  resolve solve settle fix clear~up / close answer
  fix repair correct mend / update resolve solve
  debug troubleshoot diagnose / inspect error
  diagnose troubleshoot / check health
  configure set~up set customize / settings update
  set define / update configure change create put
  reset start_over / restore undo clear
  drain evacuate / move node
  cordon / node
  expose forward / port
  format / style
  echo repeat parrot say_back / return
  remember memorize store note~down / save memory add
  forget / delete remove memory
  think reason ponder reflect / thought
  attend participate join / accept respond
  invite / add attendee
  remind reminder / notify calendar
  log~in sign~in authenticate / account session
  log~out sign~out / session
  mark flag label tag / set update
  label tag categorize / mark
  tag label / mark release
  ping reach / health alive check
  discover explore / find list
  apply put_into_effect enact activate / use update set
  require need / necessary
  manage administer / management
  exec execute run / command
  reconnect connect_again / restart
  unapprove withdraw_approval / revoke approval
  reverse backwards opposite / back
  clean~up tidy~up / cleanup delete remove
  cleanup tidy / clean delete
  swap exchange / replace
  ship send / deliver
  enforce apply / policy
  top~up recharge refill / raise fund
  hand~in submit / send
  sort~out / resolve fix
  look_after / manage
  spot detect recognize / find
  mute silence / disable
  pin fix_on_top / mark
`
