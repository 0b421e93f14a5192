# What a denied caller reads. Of its own values the id alone, and that only where it is short.

error := {
	"jsonrpc": "2.0",
	"id": shown_id,
	"error": {"code": 403, "message": wording, "data": details},
}

default shown_id := null

shown_id := message.id if {
	is_string(message.id)
	count(message.id) <= 256
}

shown_id := message.id if {
	is_number(message.id)
	count(json.marshal(message.id)) <= 32
}

details := object.union({"reason": reason}, decision) if {
	is_call
	problem == ""
} else := {"reason": reason}

reason := problem if {
	problem != ""
} else := {"clarify": "clarify", "refuse": "rulebook", "silent": "silent"}[decision.decision] if {
	is_call
}

wording := concat("", ["the rulebook refuses this call by its rule `", decision.rule, "`; it stays refused until what the host knows of the case changes"]) if {
	reason == "rulebook"
} else := concat("", ["a person has to be asked first, by the rule `", decision.rule, "` of the rulebook, and nobody can be asked here"]) if {
	reason == "clarify"
} else := wordings[reason]

wordings := {
	"body": "the body has to be one JSON object for POST, and absent for GET and DELETE",
	"body_size": "the body is too large to be checked, holds too many texts, or is not whole",
	"content_encoding": "the body has to be sent without a content encoding",
	"content_type": "the content type has to be `application/json`, in UTF-8",
	"context": "what the host knows of this case is not available here, or contradicts itself; the call is not at fault",
	"duplicate_key": "a key stands twice in an object of the body",
	"http_method": "the HTTP method has to be POST, GET or DELETE",
	"id": "a request has an `id` that is a text or a number, and a notification has none",
	"message": "the body has to be a JSON-RPC 2.0 message of `jsonrpc`, `id`, `method` and `params` alone",
	"method": "this method does not pass here",
	"mirrored_header": "`Mcp-Method` or `Mcp-Name` says something else than the body",
	"params": "`params` has to be an object, and that of `tools/call` has a `name` in visible ASCII, `arguments` that are an object, and no key besides those of the protocol",
	"silent": "no rule of the rulebook speaks of this call, and such calls do not pass here",
	"two_readings": "the body is read in two ways",
}
