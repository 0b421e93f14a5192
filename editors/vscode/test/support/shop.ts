// A rulebook with one of each that a person points at, and characters of more than one code unit.

export const shop = `define context
  $order_paid: bool
  $amount: number

define user ask refund
  "I want my money back 💶"

define bot refuse order
  "No."

define subflow check amount
  if $amount > 100
    bot refuse order
    stop

define flow refunds
  user ask refund
  do check amount
  if $order_paid
    execute refund_card(note="💶", order=$order_id)
  else
    bot refuse order
`;

/** The same, not in the one style. */
export const untidy = shop.replace("if $order_paid\n", "if   $order_paid :\n");

/** The same, with a mistake that has a fix. */
export const mistaken = shop.replace("    stop\n", "    exit\n");
