"""The official Python SDK as a client of a published server behind the proxy: published.py FOLDER PROGRAM [ARGUMENT]...

In: a command that serves the files of FOLDER, which has a file a.txt. Out: a line for each check. Exit code 1 if one fails. The environment of this process
is that of the command, as a host starts the entry in its configuration.
"""

import asyncio
import os
import sys

import checks
from checks import check, text
from mcp import Client, StdioServerParameters


async def main():
    folder, command, *arguments = sys.argv[1:]
    path = f"{folder}/a.txt"
    async with Client(StdioServerParameters(command=command, args=arguments, env=dict(os.environ))) as client:
        result = await client.call_tool("read_text_file", {"path": path})
        check("a good call has its result", not result.is_error and "a line" in text(result), text(result))
        result = await client.call_tool("readTextFile", {"path": path, "head": "1"})
        check("a call with another spelling and a number in quotes is repaired", not result.is_error and "a line" in text(result), text(result))
        result = await client.call_tool("read_text_file", {"head": "one"})
        answer = text(result)
        check("a wrong call is answered with every issue", result.is_error and all(part in answer for part in ("was not run", "path", "head")), answer)


asyncio.run(main())
sys.exit(checks.failed > 0)
