default answer := {
	"allow": false,
	"status": 403,
	"headers": {},
	"message": {"jsonrpc": "2.0", "id": null, "error": {"code": 403, "message": "the request could not be checked", "data": {"reason": "unreadable"}}},
}

answer := {"allow": true} if passes

answer := {"allow": false, "status": 403, "headers": {}, "message": error} if not passes

default request := {}

request := input.request.http if is_object(input.request.http)

raw := request.body

parsed := request.parsed_body

size := request.body_size

# Kong gives no body rather than a part of one.
default is_cut := false
