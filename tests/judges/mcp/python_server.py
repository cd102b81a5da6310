"""A server of the official Python SDK for the example `checking`: python_server.py [http].

Serves over stdio, or over streamable HTTP on a free loopback port, whose URL it prints. In: calls. Out: a tool for each behaviour that a
client has to handle.
"""

import asyncio
import socket
import sys
from typing import Annotated

import uvicorn
from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.resolve import Elicit, Resolve
from pydantic import BaseModel, Field

server = MCPServer("checks", log_level="CRITICAL", instructions="Try every tool.")
counts = {"booked": 0, "cancelled": 0}


class Sum(BaseModel):
    sum: float


@server.tool()
def add(a: float, b: float) -> Sum:
    """Adds two numbers."""
    return Sum(sum=a + b)


@server.tool(structured_output=False)
def book_room(guest: Annotated[str, Field(min_length=1)], nights: Annotated[int, Field(ge=1, le=30)]) -> str:
    """Books a room."""
    counts["booked"] += 1
    return f"{guest} stays for {nights} nights."


@server.tool(structured_output=False)
async def count(to: int, ctx: Context) -> str:
    """Counts to a number."""
    for step in range(to + 1):
        await ctx.report_progress(step, to, f"step {step}")
    return "counted"


@server.tool(structured_output=False)
async def wait() -> str:
    """Waits until it is cancelled."""
    try:
        await asyncio.sleep(60)
    except asyncio.CancelledError:
        counts["cancelled"] += 1
        raise
    return "waited"


@server.tool(structured_output=False)
def counted(what: str) -> str:
    """Returns the number of rooms that were booked, or of calls that were cancelled."""
    return str(counts[what])


@server.tool(structured_output=False)
def reject() -> str:
    """Always fails."""
    raise ToolError("The account is closed.")


@server.tool(structured_output=False)
async def grow(ctx: Context) -> str:
    """Adds the tool `grown`."""
    server.add_tool(lambda: "grown", name="grown", description="Is new.", structured_output=False)
    await ctx.notify_tools_changed()
    await ctx.session.send_tool_list_changed()
    return "more tools"


class Guest(BaseModel):
    name: str
    nights: int = Field(ge=1, le=30)


async def ask_guest() -> Elicit[Guest]:
    return Elicit("Who stays?", Guest)


@server.tool(structured_output=False)
def ask(guest: Annotated[Guest, Resolve(ask_guest)]) -> str:
    """Asks for a guest."""
    return f"{guest.name} stays for {guest.nights} nights."


async def serve_http():
    listener = socket.create_server(("127.0.0.1", 0))
    print(f"http://127.0.0.1:{listener.getsockname()[1]}/mcp", flush=True)
    serving = uvicorn.Server(uvicorn.Config(server.streamable_http_app(), log_level="error", timeout_graceful_shutdown=1))
    task = asyncio.create_task(serving.serve(sockets=[listener]))
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    serving.should_exit = True
    await task


if sys.argv[1:] == ["http"]:
    asyncio.run(serve_http())
else:
    server.run()
