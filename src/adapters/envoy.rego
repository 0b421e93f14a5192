default answer := {
	"allowed": false,
	"http_status": 403,
	"headers": {"content-type": "application/json"},
	"body": `{"jsonrpc":"2.0","id":null,"error":{"code":403,"message":"the request could not be checked","data":{"reason":"unreadable"}}}`,
}

answer := {"allowed": true} if passes

answer := {
	"allowed": false,
	"http_status": 403,
	"headers": {"content-type": "application/json"},
	"body": json.marshal(error),
} if {
	not passes
}

default request := {}

request := input.attributes.request.http if is_object(input.attributes.request.http)

raw := given if {
	given := request.body
	not given in ["", null]
} else := base64.decode(request.rawBody) if {
	is_string(request.rawBody)
	base64.is_valid(request.rawBody)
} else := request.rawBody

parsed := input.parsed_body

# Protocol buffers write a number of 64 bits as a text.
size := to_number(given) if {
	given := request.size
	is_string(given)
	regex.match(`^-?[0-9]{1,15}$`, given)
} else := request.size

is_cut if {
	given := input.truncated_body
	not given == false
}

# One of the two forms is all that there is, so neither of two can be trusted to be whole.
is_cut if {
	given := request.body
	not given in ["", null]
	packed := request.rawBody
	not packed in ["", null]
}

is_cut if {
	has_header("x-envoy-auth-partial-body")
	not is_said_whole
}

is_said_whole if header("x-envoy-auth-partial-body") == "false"
