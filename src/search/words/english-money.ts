// A dictionary of the things that tools do and the words people use for them, for tools in general and not for any server. One
// meaning a line: words before the slash mean about the same as each other, words after it are only close to those before it.
// `_` joins a phrase, `~` a phrase whose parts may stand apart ("put it aside").

/** Money: paying, billing, budgets and what guards them. */
export const money = `
  price cost fee rate / amount
  cost price expense / amount spend
  amount sum quantity / value money
  money funds cash / balance budget amount
  left remaining rest unspent unused / available balance
  remaining left unspent unused / balance rest available
  how_much / amount balance
  balance remaining available_funds / money left account
  afford can_afford / balance budget remaining
  budget allowance funds funding pocket_money / money limit
  allowance budget pocket_money / money limit
  limit cap ceiling maximum upper_bound threshold / budget restriction
  ceiling cap limit maximum / budget
  target goal objective aim / limit
  goal target objective aim
  guideline recommendation / target advisory
  advisory soft non_binding / warning target
  policy rules regulation / limits rule
  rule policy / condition
  rules policy / conditions
  starter basic simple / default first
  expense spend spending expenditure / purchase cost
  spend expense payment / pay cost purchase
  purchase order buy / spend payment
  payment transaction transfer / pay money charge
  transaction payment booking / ledger entry
  ledger journal books bookkeeping accounting / transactions entries
  journal ledger / diary
  booking entry / transaction reservation
  statement / ledger transactions
  debit credit / entry
  invoice bill / payment
  receipt proof / invoice
  subscription membership recurring_payment / subscriber plan
  subscriber customer / subscription
  plan / subscription
  customer client buyer / subscriber
  client customer
  coupon discount voucher promo_code / price
  dispute chargeback / complaint
  merchant seller shop / vendor
  vendor supplier provider / seller merchant
  supplier vendor provider
  provider vendor supplier / service
  product article goods / item
  order purchase / product
  account wallet / profile
  claim / lease hold
  hold reservation reserved held / amount frozen
  frozen blocked stuck locked held hanging / pending hold
  blocked stuck frozen / pending hold
  lease / claim expiry
  stuck hanging unresolved / pending blocked
  pending outstanding unresolved / open unfinished waiting
  unresolved pending unsettled / open
  decision / approve unresolved
  forbid prohibit ban disallow / deny policy block
  default standard / main
  current present active in_force at_the_moment / now
  active in_force current / running
  repeating recurring / series
  wage salary payroll / payment
  donation tip / payment
  deposit prepayment / hold
  fine penalty / fee
  bargain rebate / discount
  earnings income revenue turnover / sales balance
  outgoings expenses costs / spending
  overspend overspent / exceed limit
  threshold limit / ceiling
`
