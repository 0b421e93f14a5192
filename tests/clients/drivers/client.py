"""Makes one call with a Python client, and prints what came of it, a JSON object a line.

usage: client.py (mcp|fastmcp) URL TOKEN (legacy|modern) CELL

The cells: `list` lists the tools, `call` reads an order; the others charge a card and answer the
question with `approve`, `decline` or `cancel`, with a yes that comes `late`, or, to `vanish`, never.
"""

import asyncio
import json
import sys

LATE = 6  # seconds


def say(**what):
    print(json.dumps(what), flush=True)


async def answered(cell, message):
    """Shows the question; the action that answers it, and the content."""
    say(asked=message)
    if cell == "vanish":
        await asyncio.sleep(3600)
    if cell == "late":
        await asyncio.sleep(LATE)
    if cell in ("decline", "cancel"):
        return cell, None
    return "accept", {"confirm": True}


def called(cell):
    if cell == "call":
        return "get_order", {"order_id": "4411"}
    return "charge_card", {"order_id": "4411", "amount": 40.5}


def say_result(result, is_error):
    texts = [part.text for part in result.content if part.type == "text"]
    say(result="\n".join(texts), is_error=bool(is_error), meta=result.meta or {})


async def with_mcp(url, token, era, cell):
    import httpx2
    import mcp_types
    from mcp import Client
    from mcp.client.streamable_http import streamable_http_client
    from mcp.shared.exceptions import MCPError

    async def answer(_context, params):
        action, content = await answered(cell, params.message)
        return mcp_types.ElicitResult(action=action, content=content)

    headers = {"Authorization": f"Bearer {token}"}
    async with httpx2.AsyncClient(headers=headers, timeout=60) as http:
        transport = streamable_http_client(url, http_client=http)
        mode = "legacy" if era == "legacy" else "2026-07-28"
        async with Client(transport, mode=mode, elicitation_callback=answer) as client:
            say(version=client.protocol_version)
            if cell == "list":
                listed = await client.list_tools()
                say(tools=[tool.name for tool in listed.tools])
                return
            try:
                result = await client.call_tool(*called(cell))
                say_result(result, result.is_error)
            except MCPError as error:
                say(error=error.error.message, code=error.error.code)


async def with_fastmcp(url, token, era, cell):
    from fastmcp import Client
    from fastmcp.client.elicitation import ElicitResult
    from fastmcp.client.transports import StreamableHttpTransport

    async def answer(message, _kind, _params, _context):
        action, content = await answered(cell, message)
        return ElicitResult(action=action, content=content)

    transport = StreamableHttpTransport(url, headers={"Authorization": f"Bearer {token}"})
    mode = "legacy" if era == "legacy" else "2026-07-28"
    async with Client(transport, mode=mode, elicitation_handler=answer) as client:
        if cell == "list":
            say(tools=[tool.name for tool in await client.list_tools()])
            return
        name, arguments = called(cell)
        result = await client.call_tool(name, arguments, raise_on_error=False)
        say_result(result, result.is_error)


if __name__ == "__main__":
    package, *rest = sys.argv[1:]
    asyncio.run((with_mcp if package == "mcp" else with_fastmcp)(*rest))
