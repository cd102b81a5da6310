"""The official Python SDK as a client of a guarded server: client.py PROGRAM [ARGUMENT]...

In: a command that serves the tool `book_room` of python_server.py or typescript_server.mjs. Out: a line for each check. Exit code 1 if one fails. The
environment of this process is that of the command.
"""

import asyncio
import os
import sys

import checks
from checks import check, text
from mcp import Client, StdioServerParameters


async def main():
    command, *arguments = sys.argv[1:]
    parameters = StdioServerParameters(command=command, args=arguments, env=dict(os.environ))
    async with Client(parameters) as client:
        tools = [tool.name for tool in (await client.list_tools()).tools]
        check("the tools of the server are listed", "book_room" in tools, tools)
        result = await client.call_tool("book_room", {"guest": "Ada", "nights": 3})
        check("a good call has its result", not result.is_error and "3 nights" in text(result), text(result))
        result = await client.call_tool("bookRoom", {"guest": "Ada", "nights": "3"})
        check("a call with another spelling and a number in quotes is repaired", not result.is_error and "3 nights" in text(result), text(result))
        result = await client.call_tool("book_room", {"nights": 90})
        answer = text(result)
        check("a wrong call is answered with every issue", result.is_error and "was not run" in answer and "guest" in answer and "at most 30" in answer, answer)


asyncio.run(main())
sys.exit(checks.failed > 0)
