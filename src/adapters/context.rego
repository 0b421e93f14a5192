# Context. Of each source at most one value for a name; without a source there is no context.

context := object.union_n([given | some given in contexts]) if {
	has_fitting_document
	has_fitting_sources
	count(contexts) > 0
	every given in contexts { is_object(given) }
	not has_huge_number(contexts)
	names := [name |
		some given in contexts
		some name, _ in given
	]
	count(names) == count({name | some name in names})
}

contexts["*"] := data.rulebook_context["*"]

contexts["agent"] := data.rulebook_context.agents[agent]

has_fitting_document if not data.rulebook_context

has_fitting_document if {
	is_object(data.rulebook_context)
	count(object.keys(data.rulebook_context) - {"*", "agents"}) == 0
	is_object(object.get(data.rulebook_context, "agents", {}))
}
