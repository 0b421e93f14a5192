default answer := {
	"allow": false,
	"status": 400,
	"body": {"code": 400, "message": "the input has to be an object of `tool`, a text, and `context`, an object without exponents of five digits, alone", "data": {"reason": "input"}},
}

answer := object.union({"allow": true, "status": 200}, decision) if {
	has_fitting_input
	passes
}

answer := object.union({"allow": false, "status": 403, "body": body}, decision) if {
	has_fitting_input
	not passes
}

has_fitting_input if {
	is_object(input)
	object.keys(input) == {"context", "tool"}
	is_string(input.tool)
	is_object(input.context)
	not has_huge_number(input.context)
}

passes if decision.decision in passing_decisions

body := {
	"code": 403,
	"message": wordings[decision.decision],
	"data": object.union({"reason": reasons[decision.decision]}, decision),
}

reasons := {"clarify": "clarify", "refuse": "rulebook", "silent": "silent"}

wordings := {
	"clarify": concat("", ["a person has to be asked first, by the rule `", decision.rule, "` of the rulebook, and nobody can be asked here"]),
	"refuse": concat("", ["the rulebook refuses this call by its rule `", decision.rule, "`; it stays refused until what the host knows of the case changes"]),
	"silent": "no rule of the rulebook speaks of this call, and such calls do not pass here",
}
