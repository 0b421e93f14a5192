//! Codes of `gateway.yaml`.

super::codes! {
    NOT_BUILT = "RB1101", Error, "setting that this build does not implement yet",
    "The key belongs to `gateway.yaml`, and this build cannot do what it asks for. It is refused at start and not passed over: a setting that holds for nothing would look as if it were in force. The same is true of the variables `STALWART_ROUTER_URL`, `QLS_ROUTER_URL` and `TOOL_POLICIES_PATH`.

```yaml
store: ./gateway.db          # postgres://… in a later build
```

Delete the key until a build implements it.";

    MISSING_VARIABLE = "RB1102", Error, "variable that is not set",
    "`${NAME}` stands for the variable NAME of the environment that the gateway is started in. It is not set there, or is empty.

```yaml
agents: { desk: ${DESK_TOKEN} }
```

```text
DESK_TOKEN=… stalwart gateway gateway.yaml
```";

    BAD_VARIABLE = "RB1103", Error, "`${…}` that names no variable",
    "A variable is written `${NAME}`: a letter or `_`, then letters, digits and `_`, and a closing brace. There are no defaults and no other forms. Everything else in a text stands for itself.

```yaml
headers: { Authorization: \"Bearer ${SHOP_TOKEN}\" }
```";

    WEAK_TOKEN = "RB1104", Error, "token that is too weak",
    "A bearer token has 16 to 4,096 bytes, all of them visible ASCII characters. A shorter one could be guessed. The message shows neither the token nor its length.

```text
DESK_TOKEN=$(openssl rand -hex 32)
```

```yaml
agents: { desk: ${DESK_TOKEN} }
```";

    TOKEN_TWICE = "RB1105", Error, "token that is used twice",
    "Who makes a call is known by the token alone, so each belongs to one agent, to the host, to the admin or to the address that is asked for the context. Two that are equal would make one of them the other.

```yaml
agents: { desk: ${DESK_TOKEN}, billing: [${BILLING_TOKEN}, ${BILLING_TOKEN_OLD}] }
```";

    OPEN_LISTEN = "RB1106", Error, "address that others reach, without TLS",
    "`listen` is an address that other machines reach, and tokens would go there in the clear. Give a certificate, or say that a proxy in front of the gateway does so.

```yaml
listen: 0.0.0.0:8443
tls: { certificate: ./gateway.crt, key: ./gateway.key }
```

```yaml
listen: 0.0.0.0:8800
behind_proxy: true
```";

    BAD_URL = "RB1107", Error, "address that is none",
    "An address begins with `http://` or `https://`, has a host, and holds neither a user, a password nor a `#`. Credentials go into `headers`, where they are not shown.

```yaml
servers:
  shop: { url: http://tools.internal:8080/mcp, headers: { Authorization: \"Bearer ${SHOP_TOKEN}\" } }
```";

    NO_SUCH_TOOL = "RB1108", Error, "tool that the catalogue does not have",
    "`upstreams` says which server has a tool of the catalogue. A name that is misspelt would leave the tool without its server.

```yaml
upstreams: { refund_card: billing, \"*\": shop }
```";

    NO_SERVER = "RB1109", Error, "tool without a server",
    "Every tool of the catalogue is on a server: one that `upstreams` names for it, or the one that `\"*\"` names for the rest. A server is an entry of `servers` or a bare URL.

```yaml
servers: { shop: { url: http://tools.internal:8080/mcp } }
upstreams: { \"*\": shop }
```";

    NO_SUCH_AGENT = "RB1110", Error, "agent that the catalogue does not have",
    "`agents` gives tokens to the agents of the catalogue. A token for an agent that it does not have would open nothing, so the name is most likely misspelt.

```yaml
agents: { desk: ${DESK_TOKEN} }
```";

    BAD_KEY = "RB1111", Error, "key that is none",
    "A key has an `id` (1 to 32 letters, digits, `_`, `-`) and a `secret` of 32 bytes: 64 hexadecimal digits, or base64. No id and no secret is there twice. The first key signs, all verify; without `keys`, one is made beside the store.

```text
STALWART_KEY=$(openssl rand -hex 32)
```

```yaml
keys: [{ id: k1, secret: ${STALWART_KEY} }]
```";

    BAD_VALUE = "RB1112", Error, "value that is none of those that are possible",
    "A number is outside of its range, a duration is none (seconds, or a number with `s`, `m`, `h`, `d`), an address is none (`127.0.0.1:8800`), or a name has other characters than names have.

```yaml
listen: 127.0.0.1:8800
run_ttl: 24h
limits: { body: 1048576 }
```";

    NO_CATALOGUE = "RB1113", Error, "catalogue that cannot be used",
    "The file that `catalogue` names is not there, or is no catalogue that this build takes. Paths are relative to the folder of `gateway.yaml`.

```text
stalwart verify DIR --keep
```";

    NO_TOKEN = "RB1120", Note, "agent without a token",
    "The catalogue has an agent that `gateway.yaml` gives no token: nobody can connect as this agent. That is as it should be where it is connected elsewhere.

```yaml
agents: { desk: ${DESK_TOKEN}, billing: ${BILLING_TOKEN} }
```";

    NO_PINS = "RB1121", Warning, "catalogue without pins",
    "The catalogue was made without asking the servers, so that a server that describes a tool in other words is not noticed. With pins such a tool is hidden and refused.

```text
stalwart verify DIR --keep --upstreams gateway.yaml
```";

    NO_AUDIT_FILE = "RB1122", Warning, "no audit file is kept",
    "`audit` is not set: decisions are kept in memory, and the intents of writes in the store. Nobody can look at them behind the process.

```yaml
audit: decisions.jsonl
```";

    UNUSED_SERVER = "RB1123", Warning, "server that no tool is on",
    "The server stands below `servers`, and `upstreams` names it for no tool. It is never connected to.

```yaml
servers: { shop: { url: http://tools.internal:8080/mcp } }
upstreams: { \"*\": shop }
```";

    CANNOT_START = "RB1130", Error, "gateway that cannot start",
    "The configuration is sound, and the gateway cannot start all the same: the address is in use, a certificate cannot be read, a server's address or headers cannot be used. The message says which.

```text
the gateway cannot listen on 127.0.0.1:8800: address already in use
```

Free the address, or give the gateway another one with `listen`; then start it again.";
}
