# The consumer that Kong has authenticated; never a header.
agent := input.consumer.username if is_string(input.consumer.username)

default has_fitting_sources := true
