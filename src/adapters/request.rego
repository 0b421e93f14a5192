# What MCP needs besides calls, in both eras: it runs no tool and reads no resource.
harmless_methods := [
	"initialize",
	"notifications/cancelled",
	"notifications/initialized",
	"notifications/progress",
	"notifications/roots/list_changed",
	"ping",
	"server/discover",
	"subscriptions/listen",
	"tools/list",
]

methods_without_body := ["DELETE", "GET"]

most_characters := 65536

most_bytes := 65536

# Every text of the body is looked at, so that many of them take as long as much of it.
most_quotes := 4096

passes if {
	problem == ""
	request.method in methods_without_body
}

passes if {
	problem == ""
	message.method in harmless_methods
}

passes if {
	problem == ""
	is_call
	decision.decision in passing_decisions
}

is_call if message.method == "tools/call"

is_notification if startswith(message.method, "notifications/")

# A `not` stands before a rule alone: before a condition on what is absent it would decide nothing.

has_known_http_method if request.method in methods_without_body

has_known_http_method if request.method == "POST"

has_known_method if message.method in harmless_methods

has_known_method if is_call

has_context if is_object(context)

# The first thing that is wrong with the request, or nothing.
problem := "http_method" if {
	not has_known_http_method
} else := "body" if {
	request.method in methods_without_body
	has_body
} else := "" if {
	request.method in methods_without_body
} else := "content_encoding" if {
	not is_plain
} else := "content_type" if {
	not is_json
} else := "body_size" if {
	is_too_large
} else := "body" if {
	not is_read
} else := "duplicate_key" if {
	not has_every_key_once
} else := "message" if {
	not is_message
} else := "method" if {
	not has_known_method
} else := "id" if {
	not has_fitting_id
} else := "params" if {
	not has_fitting_params
} else := "two_readings" if {
	not readings_agree
} else := "mirrored_header" if {
	not has_true_mirrors
} else := "context" if {
	is_call
	not has_context
} else := ""

# Headers. A name counts in any case; one that is given twice, or not as a text, has no value.

header_values(name) := [value |
	is_object(request.headers)
	some key, value in request.headers
	lower(key) == name
]

has_header(name) if count(header_values(name)) > 0

header(name) := values[0] if {
	values := header_values(name)
	count(values) == 1
	is_string(values[0])
}

is_plain if not has_header("content-encoding")

is_plain if lower(header("content-encoding")) == "identity"

is_json if {
	regex.match(`^application/json[ \t]*(;[ \t]*charset=(?:utf-8|"utf-8")[ \t]*)?$`, lower(header("content-type")))
}

# Body.

has_raw if {
	given := raw
	not given in ["", null]
}

has_parsed if {
	given := parsed
	not is_null(given)
}

has_body if has_raw

has_body if has_parsed

has_body if {
	given := size
	not given in [-1, 0, null]
}

has_body if {
	has_header("content-length")
	not has_no_length
}

has_body if has_header("transfer-encoding")

has_no_length if header("content-length") == "0"

is_too_large if is_cut

is_too_large if {
	is_string(raw)
	count(raw) > most_characters
}

is_too_large if {
	is_string(raw)
	strings.count(raw, "\"") > most_quotes
}

is_too_large if {
	is_number(size)
	size > most_bytes
}

# The raw text is what the server reads, so it is read again here; what the proxy read must agree.
message := parsed if {
	not has_raw
} else := json.unmarshal(raw) if {
	is_string(raw)
	not is_too_large
	json.is_valid(raw)
}

is_read if {
	is_object(parsed)
	is_object(message)
}

has_every_key_once if not has_raw

has_every_key_once if count_keys(raw) == count_keys(json.marshal(message))

# A text in JSON that a colon follows is a key, and nothing else is.
count_keys(text) := count([found |
	some found in regex.find_n(`"(?:[^"\\]|\\.)*"[ \t\r\n]*:?`, text, -1)
	endswith(found, ":")
])

is_message if {
	count(object.keys(message) - {"id", "jsonrpc", "method", "params"}) == 0
	message.jsonrpc == "2.0"
}

has_id if "id" in object.keys(message)

has_fitting_id if {
	is_notification
	not has_id
}

has_fitting_id if {
	not is_notification
	is_string(message.id)
}

has_fitting_id if {
	not is_notification
	is_number(message.id)
}

has_fitting_params if {
	not is_call
	is_object(object.get(message, "params", {}))
}

has_fitting_params if {
	is_call
	is_object(message.params)
	count(object.keys(message.params) - {"_meta", "arguments", "inputResponses", "name", "requestState"}) == 0
	is_string(message.params.name)
	regex.match(`^[!-~]{1,256}$`, message.params.name)
	is_object(object.get(message.params, "arguments", {}))
}

readings_agree if {
	not is_call
	parsed.jsonrpc == message.jsonrpc
	parsed.method == message.method
}

readings_agree if {
	is_call
	parsed.jsonrpc == message.jsonrpc
	parsed.method == message.method
	parsed.params.name == message.params.name
}

has_true_mirrors if {
	has_true_method
	has_true_name
}

has_true_method if not has_header("mcp-method")

has_true_method if header("mcp-method") == message.method

has_true_name if not has_header("mcp-name")

has_true_name if {
	is_call
	without_base64(header("mcp-name")) == message.params.name
}

without_base64(value) := base64.decode(encoded) if {
	startswith(value, "=?base64?")
	endswith(value, "?=")
	encoded := trim_suffix(trim_prefix(value, "=?base64?"), "?=")
	base64.is_valid(encoded)
} else := value
