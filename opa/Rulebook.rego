# GENERATED from policy.co @ sha256:d25dadcdef799dbdb3767f323c4b023657c2a8dd8b235ffcd1950026d7d5de29  -- do not edit
# rulebook sha256:24826594772769ac1b521296b18b277fa1b5389f96b0d9eb2b1b77e4b7fb6495
# translator 1.1.0
#
# This is the gate of the rulebook, and only the gate: it answers which decision a call of a tool
# earns by the context of the call, and nothing else.
#
# It does not decide the schema of arguments, the origins of arguments, the history of the session,
# rules on the order of calls, trust labels, compensation bindings or confirmations. Those are
# decided by the tool check, at the gateway or in the check service.
#
# A gateway that uses this alone enforces the conditions of the rulebook and nothing else.
#
# `clarify` means: ask a person first. A plain route has nobody to ask, so there it is a refusal.
#
# Query: `data.stalwart.policy.decision`, an object of `decision` and `rule`.
# Input: `input.tool`, the name of the tool; `input.context`, an object of the context's values.
#
# A name that is absent from the context is false by itself. A comparison with a value that is
# absent or of another type decides nothing, and the call is then refused.
package stalwart.policy

import rego.v1

ctx(name) if input.context[name] == true

default decision := {"decision": "silent", "rule": ""}

# flow 'refunds'

f1_b1_enclosing if {
	ctx("order_paid")
}

f1_b1_holds if {
	f1_b1_enclosing
}

f1_b1_first if {
	f1_b1_holds
}

f1_b2_enclosing if {
	not ctx("order_paid")
}

f1_b2_holds if {
	f1_b2_enclosing
}

f1_b2_first if {
	f1_b2_holds
	not f1_b1_holds
}

f1_any if f1_b1_first

f1_any if f1_b2_first

decision := {"decision": "allow", "rule": ""} if {
	input.tool == "refund_card"
	f1_b1_first
}

decision := {"decision": "refuse", "rule": "refuse"} if {
	input.tool == "refund_card"
	f1_b2_first
}

decision := {"decision": "refuse", "rule": "no_match"} if {
	input.tool == "refund_card"
	not f1_any
}
