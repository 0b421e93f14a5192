# What the proxy itself vouches for, such as claims of a token that it has verified.
vouched := input.attributes.metadataContext.filterMetadata.stalwart

agent := vouched.agent if is_string(vouched.agent)

contexts["proxy"] := vouched.context

has_fitting_sources if not vouched

has_fitting_sources if {
	is_object(vouched)
	count(object.keys(vouched) - {"agent", "context"}) == 0
	is_string(object.get(vouched, "agent", ""))
}
