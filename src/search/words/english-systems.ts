// A dictionary of the things that tools do and the words people use for them, for tools in general and not for any server. One
// meaning a line: words before the slash mean about the same as each other, words after it are only close to those before it.
// `_` joins a phrase, `~` a phrase whose parts may stand apart ("put it aside").

/** Browsers, servers, data, charts, maps and pictures. */
export const systems = `
  website site webpage web_page / page web url
  page webpage website site / document tab
  url link address / web page
  link url / address connection
  browser chrome / window web page
  tab / browser page window
  window browser viewport / size
  screen display viewport / window
  back previous / navigate
  button / click
  menu_entry menu_item / menu element
  dropdown menu / option list select
  form / fields input
  sign_up_form / form fill
  field input box / text
  key keyboard enter_key / press
  mouse cursor pointer / hover
  dialog popup pop_up alert confirm_box / prompt
  console javascript_console / messages log errors
  javascript_error js_error / console error
  error errors failure exception crash / problem log
  oddly strangely broken / error console
  request call xhr ajax / network http
  network requests traffic http / headers
  http network / request url
  header headers / request
  script javascript js / code evaluate
  javascript js / script
  css style font color / styles
  screenshot screen_shot screen_capture / picture image capture screen snapshot
  snapshot dump / state accessibility
  heap memory_dump leak / memory snapshot
  video recording movie / film record
  screencast recording video screen_recording / record
  performance speed slow lag fast loading_time load_time / trace metrics
  slow / performance speed explain network
  fast speed / performance
  layout_shift web_vitals lcp cls / performance insight
  accessibility seo best_practices / audit lighthouse
  device phone mobile tablet / emulate
  mobile phone smartphone / device
  connection / network link
  dark_mode color_scheme print_view / emulate media
  image picture photo / illustration drawing graphic visual
  picture image photo illustration drawing / visual
  illustration drawing poster artwork graphic logo / image picture
  artifact / output result product file image
  media image audio video / file
  audio sound voice / speech media
  database db data_store / data
  collection / table set
  document record entry / collection
  record entry document / item row
  row record / entry table
  rows records entries / items data query
  entry record item / row
  column field property / attribute
  property attribute field / value column
  schema structure data_types / fields types columns
  type kind / schema
  table spreadsheet grid / rows columns data sheet
  spreadsheet sheet excel / table
  data_source table / database rows
  index / speed fast lookup
  speed~up / index performance
  statistics stats metrics figures / summary count
  metrics measurements / statistics
  aggregate aggregation group_by / sum average pipeline
  average mean / aggregate
  older_than greater_than less_than / filter where
  query_plan execution_plan scanning / explain
  server machine host / service backend
  service server / system
  backend service / system server
  machine node computer / server host
  node machine / server
  cluster / nodes kubernetes
  kubernetes k8s kubectl / cluster pods
  pod container / workload
  container docker / pod
  namespace / group
  deployment rollout / release
  replica instance copies / scale
  manifest yaml / configuration
  helm_chart helm / package
  resource / object
  port / forward
  localhost / port local
  maintenance / drain node
  running / status list active
  process / running
  place location spot venue / address point
  location place position / coordinates where
  coordinates latitude longitude lat_lng geolocation / location position point
  address street house_number / location place
  geocode coordinates / address
  route way path / directions drive travel
  directions route / way how_to_get drive navigation
  how_do_i_get get_from / directions route
  drive car walk bike / route directions
  distance how_far far / travel
  travel trip journey / drive route
  elevation altitude height how_high sea_level / high
  map / place geography
  marker pin / map point
  region district area / map
  weather forecast / temperature rain
  restaurant shop store museum hotel cafe / place
  opening_hours phone_number rating / place details
  nearby near around close_to / place search
  chart graph plot diagram / visualization visual
  diagram chart drawing / graph visualization figure
  line_chart trend over_time / time line
  pie donut doughnut / share proportion percentage
  share proportion part_of / pie percentage
  bar_chart bars / column
  bar column
  column bar / field
  histogram distribution distributed frequency / spread
  distribution spread / histogram boxplot
  boxplot box_plot quartile outlier / spread
  scatter correlation correlate / points relationship
  radar spider / compare dimensions
  funnel conversion drop_out drop_off / steps stages
  sankey / flow
  flow process steps stream / sequence
  flowchart flow_diagram flow_chart / process
  fishbone root_cause ishikawa cause_and_effect / causes
  cause reason / why
  mind_map mindmap brainstorm / ideas
  org_chart organization_chart organigram reporting_line who_reports reports_to / hierarchy
  word_cloud tag_cloud / frequency
  gauge percentage percent completion fill_level / progress liquid
  treemap / hierarchy proportion
  venn overlap intersection overlapping / sets
  waterfall / increase decrease contribution
  network_graph nodes_and_edges / relations
  dual_axes two_axes / combined
  area / cumulative
  matrix / table between
  dual two double / both
  uptime downtime outage / health status
  latency response_time delay / performance
  throttle slow_down / emulate network
  viewport screen_size window_size / resize
  cookie session / browser
  html dom markup source_code_of_page / page content snapshot
  selector element / page
  spreadsheet table / cells
  outliers quartiles / boxplot
  proportions shares portions / pie
  relationship correlation / scatter
  ranking ranked / bar
  steps stages / process flow
  network topology / graph
  reporting_lines / organization
  milestones timeline / time
  heatmap density / map
  neighbourhood area / place
  postcode zip_code / address
  traffic jam / route
`
