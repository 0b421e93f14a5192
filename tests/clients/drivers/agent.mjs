// An agent behind a gateway, for the conformance suite's scenarios of clients: it has a gateway
// started before the suite's server, and calls every tool that the gateway lists.
//
// usage: agent.mjs CONTROL URL
//
// CONTROL is where a gateway is asked for, by its server's URL. The answer is the gateway's URL and a
// token.

import { createRequire } from "node:module";

const require = createRequire(`${process.env.STALWART_CLIENTS}/`);
const { Client, StreamableHTTPClientTransport } = require("@modelcontextprotocol/client");

const [control, server] = process.argv.slice(2);
const version = process.env.MCP_CONFORMANCE_PROTOCOL_VERSION;
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? "{}");
const { url, token } = await (await fetch(control, { method: "POST", body: server })).json();

const mode = version === "2026-07-28" ? { pin: version } : "legacy";
const client = new Client(
  { name: "agent", version: "1.0.0" },
  { capabilities: { elicitation: {} }, versionNegotiation: { mode } },
);
client.setRequestHandler("elicitation/create", async () => ({
  action: "accept",
  content: { confirmed: true },
}));
const requestInit = { headers: { Authorization: `Bearer ${token}` } };
await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));

const known = { add_numbers: { a: 5, b: 3 }, valid_tool: { region: "us-west1" } };
for (const call of context.toolCalls ?? []) known[call.name] = call.arguments;

const { tools } = await client.listTools();
for (const { name } of tools) {
  try {
    const result = await client.callTool({ name, arguments: known[name] ?? {} });
    console.log(name, JSON.stringify(result));
  } catch (error) {
    console.log(name, `failed: ${error.message}`);
  }
}
await client.close();
process.exit(0);
