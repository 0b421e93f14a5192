//! Codes of `agent.yaml` and of the catalogue that is compiled from it.

super::codes! {
    VERSION = "RB1001", Error, "another version of `agent.yaml`",
    "The first key of `agent.yaml` says which version of its format it is written in. This build reads version 1; what a file of another version means is not known, so nothing of it is looked at.

```yaml
version: 1
rulebook: policy.co
```";

    NOT_BUILT = "RB1002", Error, "key that this build does not implement yet",
    "The key belongs to the format, and this build cannot do what it asks for. It is refused and not passed over: a policy that nobody enforces would look as if it were in force.

```yaml
approvals: []        # a person other than the caller: in a later build
```

Delete the key until a build implements it.";

    BAD_NAME = "RB1003", Error, "name that no tool or agent can have",
    "A tool's name has 1 to 128 characters, an agent's 1 to 64: letters and digits of ASCII, `_`, `.` and `-`. Those are the names that every client and server of the Model Context Protocol takes. A person among `owners` is named with 1 to 254 characters, without blanks.

```yaml
agents:
  desk: { tools: [charge_card] }
```";

    NO_SUCH_TOOL = "RB1004", Error, "tool that `agent.yaml` does not have",
    "Every tool that an agent, a rule on the order of calls, an `undo` or the rulebook names stands below `tools`, which says whether it reads or writes and what its arguments are. A name that is misspelt would govern nothing.

```yaml
agents:
  desk: { tools: [charge_card] }
tools:
  charge_card: { operation_type: transactional, input_schema: { type: object } }
```";

    NO_SUCH_AGENT = "RB1005", Error, "agent that `agent.yaml` does not have",
    "`hand_off` lists agents that stand below `agents`.

```yaml
agents:
  desk: { tools: [charge_card], hand_off: [billing] }
  billing: { tools: [refund_card] }
```";

    BAD_SCHEMA = "RB1006", Error, "input schema that is none",
    "`input_schema` is a JSON Schema of version 2020-12 whose top-level `type` is `object`, since the arguments of a call are an object. Calls are judged by it as it stands: patterns run in linear time, so look-around and back-references are not read; formats are asserted, so a format that nobody asserts is refused; `default` changes nothing.

```yaml
tools:
  get_order:
    operation_type: read_only
    input_schema:
      type: object
      properties:
        order_id: { type: string, pattern: \"^[0-9]+$\" }
      required: [order_id]
```";

    SCHEMA_REFERENCE = "RB1007", Error, "reference out of an input schema",
    "A `$ref` leads to another place of the same schema, `#/$defs/…`; nothing is fetched, from no network and no file. `$dynamicRef`, and `$id` below the top, are not read: with them, where a reference leads depends on more than can be seen. A schema that leads to itself without looking at a smaller part of the arguments is refused too, since judging by it would not end.

```yaml
input_schema:
  type: object
  properties: { amount: { $ref: \"#/$defs/money\" } }
  $defs: { money: { type: number, minimum: 0 } }
```";

    RESERVED_ARGUMENT = "RB1008", Error, "`confirmed` and `confirmation` are the gateway's",
    "A tool that declares `confirmed` or `confirmation` always asks a person, and gets a literal `true` there behind a yes; what an agent writes there is removed. So each is declared as a boolean or not at all, and can be named neither in `context_arguments` nor in the arguments of an `undo`.

```yaml
input_schema:
  type: object
  properties: { order_id: { type: string }, confirmed: { type: boolean } }
  required: [order_id, confirmed]
```";

    NO_SUCH_ARGUMENT = "RB1009", Error, "argument that the tool does not declare",
    "`context_arguments` and `undo` name arguments that stand below `properties` of the tool's input schema. An `undo` gives every argument that the undoing tool requires.

```yaml
tools:
  charge_card:
    operation_type: transactional
    input_schema: { type: object, properties: { order_id: { type: string } } }
    context_arguments: [order_id]
```";

    BAD_QUESTION = "RB1010", Error, "question that cannot be shown",
    "`confirm` is the first line of what a person is asked before the tool runs: 1 to 200 characters on one line, none of which is invisible or changes how others are shown.

```yaml
confirm: \"Refund this order?\"
```";

    BAD_UNDO = "RB1011", Error, "`undo` that undoes nothing",
    "`undo` is the call of another transactional tool. Its arguments are JSON in which a text `$arguments.PATH` or `$result.PATH` stands for a value of the call that is undone; other texts with a `$` in front are refused. Tools that undo one another in a circle, or themselves, would never come to an end.

```yaml
charge_card:
  operation_type: transactional
  input_schema: { type: object, properties: { order_id: { type: string } } }
  undo: { tool: refund_card, arguments: { order_id: $arguments.order_id } }
```";

    ORDER_NEVER = "RB1012", Error, "rule on the order of calls that nothing can satisfy",
    "With this rule no call of the tool could ever pass: it waits for itself, for a tool that waits for it, or for one that no agent with the tool may call (a run belongs to one agent, and a hand-off passes no history on); or it may be called 0 times.

```yaml
agents:
  desk: { tools: [charge_card, send_receipt] }
order:
  - { tool: send_receipt, after: charge_card }
  - { tool: charge_card, at_most: 3 }
```

A tool that nobody should call is left out of the agents' `tools`.";

    LISTED_TWICE = "RB1013", Error, "listed twice",
    "A list names a tool, an agent, a person or an argument once, and a rule on the order of calls is written once. Of two `at_most` for one tool, nobody could tell which was meant.

```yaml
order:
  - { tool: charge_card, at_most: 3 }
```";

    BAD_VALUE = "RB1014", Error, "value that is none of those that are possible",
    "`operation_type` is `read_only` or `transactional`, `ungoverned` is `allow` or `refuse`, `at_most` is a whole number. `require_confirmation: true` belongs to a transactional tool: a tool that reads asks nobody by itself.

```yaml
ungoverned: refuse
tools:
  charge_card: { operation_type: transactional, require_confirmation: false, input_schema: { type: object } }
```";

    NO_AGENTS = "RB1015", Error, "`agent.yaml` without agents",
    "A catalogue without an agent lets nobody call anything. That is most likely a mistake, and is no catalogue.

```yaml
agents:
  desk: { tools: [get_order] }
```";

    NOT_SERVED = "RB1016", Error, "tool that its server does not serve",
    "With `--upstreams`, `verify` asks the servers of `gateway.yaml` for their tools. The server that `upstreams` names for this tool cannot be reached, or has no tool of this name.

```text
stalwart verify DIR --keep --upstreams gateway.yaml
```

```yaml
upstreams: { refund_card: billing, \"*\": shop }
```";

    AGENT_NEVER = "RB1020", Warning, "agent that can never call its tool",
    "The agent may call the tool, and a rule wants another tool to have succeeded before, which this agent may not call. A run belongs to one agent, and a hand-off passes no history on, so the rule refuses every call of this agent.

```yaml
agents:
  desk: { tools: [charge_card, send_receipt] }
  night_desk: { tools: [send_receipt] }       # refused, always
order:
  - { tool: send_receipt, after: charge_card }
```";

    UNREACHABLE_TOOL = "RB1021", Warning, "tool that no agent may call",
    "The tool stands below `tools`, and no agent lists it. It was most likely forgotten at an agent, or is no longer needed. (A tool that only undoes others is called by the gateway itself, and is not reported.)

```yaml
agents:
  desk: { tools: [get_order] }
```";

    READS_OUTSIDE = "RB1022", Note, "tool that reads the world outside",
    "The tool is `read_only` and `outside`: it can be called without anybody being asked, and from then on the run is marked, so that every transactional call in it asks a person, whatever `require_confirmation` says.

```yaml
read_inbox: { operation_type: read_only, outside: true, input_schema: { type: object } }
```";

    UNCHECKED_ARGUMENT = "RB1023", Note, "argument whose origin is not checked",
    "The rulebook runs the tool with `k=$x`, and `$x` is in no `define context` and in no condition. Where the host supplies `$x`, a call's `k` must equal it; where it does not, `k` is not checked against anything. Declared in `define context`, an absent `$x` refuses the call.

```co
define context
  $order_id: string

define flow refunds
  if $order_paid
    execute refund_card(order_id=$order_id)
```";

    NO_TOOLS = "RB1024", Note, "agent that may call nothing",
    "The agent has no tools. It can be connected, and sees an empty list.

```yaml
agents:
  desk: { tools: [get_order] }
```";

    NOT_RUN = "RB1025", Note, "compiled, and not run by this build",
    "`undo` and `owners` are checked and stand in the catalogue, and this build of the gateway does nothing with them yet: no call is undone, and no approval is asked for.

```yaml
agents:
  desk: { tools: [charge_card], owners: [ana@example.com] }
```";

    NOT_A_CATALOGUE = "RB1030", Error, "file that is no catalogue",
    "A catalogue is the JSON that `stalwart verify --keep` writes, of format `agent-catalogue/1`. The file is none, or one of another format, or was changed: each key must be there, and nothing else.

```text
stalwart verify DIR --keep
```";

    STALE_CATALOGUE = "RB1031", Error, "catalogue that is not the one of its files",
    "`agent.catalogue.json` lies beside `agent.yaml`, and is not what these files compile to: one of them was changed since. A gateway that is started with it enforces the older ones.

```text
stalwart verify DIR --keep
```";

    CATALOGUE_TOO_LARGE = "RB1032", Error, "catalogue larger than 16 MiB",
    "A catalogue has at most 16 MiB, rulebook included, so that a gateway can be started with it anywhere.

```text
stalwart verify DIR
```

Schemas with much text in them are most often what makes it large.";

    LOSES_PINS = "RB1033", Error, "catalogue that would lose its pins",
    "The catalogue that is there pins what the servers say of their tools, and `--keep` without `--upstreams` would write one without. A gateway with it would no longer notice a server that describes a tool in other words.

```text
stalwart verify DIR --keep --upstreams gateway.yaml
```

Where nothing is to be pinned any more, delete `agent.catalogue.json` first.";
}
