"""The command line of the official inspector as a client of the example `checked`: inspector.py NODE INSPECTOR SERVER.

SERVER is a program that serves over stdio, or the URL of a server. Each command is a connection of its own, in both eras of the protocol.
Progress and cancellation have no option there. Prints a line for each check; the exit code is 1 if one fails.
"""

import json
import subprocess
import sys

from hint import corrected

inspector, server = sys.argv[1:3], sys.argv[3]
failed = 0


def check(name, holds, detail=""):
    global failed
    print(f"{'ok  ' if holds else 'FAIL'} {name}{'' if holds else f': {detail}'}")
    failed += not holds


def run(era, *arguments):
    """Returns the exit code, which is 5 for a result with `isError`, and the result."""
    command = [*inspector, "--cli", server, "--protocol-era", era, "--quiet", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    try:
        return done.returncode, json.loads(done.stdout)
    except json.JSONDecodeError:
        return done.returncode, {"output": done.stdout + done.stderr}


def call(era, tool, arguments):
    return run(era, "--method", "tools/call", "--tool-name", tool, "--tool-args-json", json.dumps(arguments))


for era in ["legacy", "modern"]:
    # With `--strict`, the exit code is 6 if a schema is not portable.
    code, result = run(era, "--method", "tools/list", "--strict")
    names = [tool["name"] for tool in result.get("tools", [])]
    check(f"{era}: the list has the tools and portable schemas", code == 0 and {"add", "book_room", "Math"} <= set(names), result)
    code, result = call(era, "add", {"a": 1, "b": 2})
    check(f"{era}: a good call has structured content", code == 0 and result.get("structuredContent") == {"sum": 3}, result)
    code, result = call(era, "count_days", {"days": 9})
    check(f"{era}: a result that does not fit its schema is an error", code == 5 and "days" in str(result), result)
    code, result = call(era, "book_room", {"nights": 90})
    check(f"{era}: a bad call is an error", code == 5, result)
    code, result = call(era, "book_room", corrected(result["content"][0]["text"]))
    check(f"{era}: the call is corrected from the hint", code == 0 and "30 nights" in str(result), result)
    code, result = call(era, "Math", {})
    check(f"{era}: the container is expanded", code == 0 and result["structuredContent"]["functions"] == ["multiply"], result)
    if era == "modern":
        code, result = call(era, "call_tool", {"tool": "multiply", "arguments": {"a": 6, "b": 7}})
        check(f"{era}: a member runs", code == 0 and "42" in str(result), result)

print(f"{failed} checks failed")
sys.exit(1 if failed else 0)
