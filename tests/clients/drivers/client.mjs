// Makes one call with the JavaScript client, and prints what came of it, a JSON object a line.
//
// usage: client.mjs URL TOKEN (legacy|modern) CELL
//
// The cells are those of client.py.

import { createRequire } from "node:module";

const require = createRequire(`${process.env.STALWART_CLIENTS}/`);
const { Client, StreamableHTTPClientTransport } = require("@modelcontextprotocol/client");

const LATE = 6000; // milliseconds

const [url, token, era, cell] = process.argv.slice(2);
const say = (what) => process.stdout.write(`${JSON.stringify(what)}\n`);
const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const mode = era === "legacy" ? "legacy" : { pin: "2026-07-28" };
const client = new Client(
  { name: "driver", version: "1.0.0" },
  { capabilities: { elicitation: {} }, versionNegotiation: { mode } },
);

client.setRequestHandler("elicitation/create", async (request) => {
  say({ asked: request.params.message });
  if (cell === "vanish") await sleep(3_600_000);
  if (cell === "late") await sleep(LATE);
  if (cell === "decline" || cell === "cancel") return { action: cell };
  return { action: "accept", content: { confirm: true } };
});

const requestInit = { headers: { Authorization: `Bearer ${token}` } };
await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));

if (cell === "list") {
  const { tools } = await client.listTools();
  say({ tools: tools.map((tool) => tool.name) });
} else {
  const called =
    cell === "call"
      ? { name: "get_order", arguments: { order_id: "4411" } }
      : { name: "charge_card", arguments: { order_id: "4411", amount: 40.5 } };
  try {
    const result = await client.callTool(called);
    const texts = result.content.filter((part) => part.type === "text").map((part) => part.text);
    say({ result: texts.join("\n"), is_error: result.isError === true, meta: result._meta ?? {} });
  } catch (error) {
    say({ error: error.message, code: error.code });
  }
}
await client.close();
process.exit(0);
