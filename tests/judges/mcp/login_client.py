"""The client of the conformance suite's scenarios about authorization: login_client.py TOOLBOX URL.

Plays the user of `toolbox login`: opens the page that the command prints, and follows the redirects. Then calls every tool through
`toolbox proxy --url`. If that fails, logs in again, first in the same way and then for the scopes that some scenarios demand.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import urllib.request

toolbox, url = sys.argv[1:]
context = json.loads(os.environ.get("MCP_CONFORMANCE_CONTEXT") or "{}")
environment = dict(os.environ, XDG_STATE_HOME=tempfile.mkdtemp(), CLIENT_SECRET=context.get("client_secret", ""))
client = ["--client-id", context["client_id"]] if "client_id" in context else []
client += ["--client-secret-env", "CLIENT_SECRET"] if "client_secret" in context else []


def start(*arguments):
    pipe = subprocess.PIPE
    return subprocess.Popen([toolbox, *arguments], stdin=pipe, stdout=pipe, stderr=pipe, text=True, env=environment)


def login(scopes):
    command = start("login", url, *client, *(option for scope in scopes for option in ("--scope", scope)))
    for line in command.stderr:
        print("login:", line.rstrip())
        if page := re.match(r"  (http\S+)", line):
            try:
                print(urllib.request.urlopen(page[1], timeout=10).read().decode())
            except OSError as error:
                print(error)
            break
    print(*command.communicate(timeout=30))


def calls():
    """Returns True if every tool could be called."""
    proxy = start("proxy", "--url", url)

    def request(id, method, params):
        proxy.stdin.write(json.dumps({"jsonrpc": "2.0", "id": id, "method": method, "params": params}) + "\n")
        proxy.stdin.flush()
        for line in proxy.stdout:
            message = json.loads(line)
            if message.get("id") == id:
                print(line.rstrip())
                return message

    info = {"name": "test", "version": "1"}
    begun = request(0, "initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info})
    is_ok = "result" in begun
    if is_ok:
        proxy.stdin.write('{"jsonrpc": "2.0", "method": "notifications/initialized"}\n')
        tools = request(1, "tools/list", {}).get("result", {}).get("tools", [])
        for number, tool in enumerate(tools):
            called = request(2 + number, "tools/call", {"name": tool["name"], "arguments": {}})
            is_ok = is_ok and not called.get("result", {"isError": True}).get("isError")
    print(proxy.communicate(timeout=30)[1])
    return is_ok


for scopes in [], [], ["mcp:basic", "mcp:write"]:
    login(scopes)
    if calls():
        break
