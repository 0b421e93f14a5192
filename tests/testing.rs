//! Tests of rulebooks: the command through the binary, faults of tests files, and coverage held
//! to plain enumeration.

mod command;
mod coverage;
mod faults;
mod formats;

use crate::command_line::Place;

/// A rulebook with something to miss: a guard, comparisons, a question, an arm that never holds.
pub const RULES: &str = "\
define flow frozen accounts
  if $account_frozen
    bot refuse frozen account
    stop

define flow refunds
  user ask refund
  if $order_paid and $amount <= 100
    execute refund_card
  else if $order_paid and $amount > 100
    bot ask for approval
    user approve
    execute refund_card
  else
    bot refuse unpaid order
";

/// Tests that reach some of it.
pub const TESTS: &str = "\
rulebook: policy.co
tool: refund_card
context:
  account_frozen: false
cases:
  - name: a small paid order
    context: {order_paid: true, amount: 40}
    want: allow
  - name: an unpaid order
    context: {order_paid: false}
    want: {decision: refuse, rule: refuse unpaid order}
groups:
  - name: frozen accounts
    context: {account_frozen: true, order_paid: true}
    cases:
      - name: nothing is refunded
        want: {decision: refuse, rule: refuse frozen account}
";

/// A folder with the rulebook and its tests.
pub fn place() -> Place {
    let place = Place::new();
    place.write("policy.co", RULES);
    place.write("policy.test.yaml", TESTS);
    place
}
