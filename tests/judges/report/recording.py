"""Prints a recording: calls whose texts try to run a script in a page, and a number of other calls after them."""

import json
import random
import sys

random.seed(1)
print(json.dumps({"recording": 1, "at_ms": 1_700_000_000_000, "tools": [{"name": "search"}]}))
at = 1_700_000_000_000
TOOLS = ["search", "create_issue", "delete_file", "weather"]
VERDICTS = ["ok"] * 6 + ["repaired", "refused", "throttled"]
RUN = "window.hit=1"
TEXTS = [
    f"<script>{RUN}</script>",
    f"</script><script>{RUN}</script>",
    f"</title><script>{RUN}</script>",
    f"</style><script>{RUN}</script>",
    f'"><img src=x onerror={RUN}>',
    f"' onmouseover={RUN} x='",
    f"</pre><svg onload={RUN}>",
    f"</option></select><script>{RUN}</script>",
    f"--><script>{RUN}</script>",
    f"]]><script>{RUN}</script>",
    f"javascript:{RUN}",
    f'<a href="javascript:{RUN}">x</a>',
    f'<iframe srcdoc="<script>parent.{RUN}</script>">',
    f"<style>*{{background:url(javascript:{RUN})}}</style>",
    f"<details open ontoggle={RUN}>",
    f'<math><mtext></mtext><mglyph><svg><mtext></mtext><svg><path id="</svg><img onerror={RUN} src=x>">',
    f"\u2028<script>{RUN}</script>\u202e",
    f"\x00<script>{RUN}</script>",
    "&lt;script&gt;",
    f'{{{{constructor.constructor("{RUN}")()}}}}',
]
for text in TEXTS:
    for key in ("tool", "approval", "answer", "arguments", "issues", "repairs"):
        call = {"id": text, "at_ms": at, "tool": "x", "verdict": "refused"}
        call[key] = {
            "arguments": {text: text, "list": [text]},
            "issues": [{"code": text, "path": text}],
            "repairs": [{"rule": text, "path": text, "before": text, "after": text}],
        }.get(key, text)
        print(json.dumps(call))
    print(json.dumps({"id": 1, "at_ms": at, "tool": text, "arguments": text, "verdict": "ok", "answer": text}))
for number in range(int(sys.argv[1])):
    at += random.randint(200, 20_000)
    verdict = random.choice(VERDICTS)
    arguments = {"query": "rain in Oslo", "limit": random.randint(1, 9), "tags": ["a", "b"], "more": {"x": {"y": None}}}
    call = {"id": number, "at_ms": at, "tool": random.choice(TOOLS), "arguments": arguments, "verdict": verdict}
    if verdict == "repaired":
        call["repairs"] = [{"rule": "text", "path": "limit", "before": '"3"', "after": "3"}]
    if verdict == "refused":
        call["issues"] = [{"code": "REQUIRED_FIELD", "path": "query"}, {"code": "RANGE", "path": "limit"}]
        call["answer"] = "The call was refused.\nlimit: at most 5"
    if verdict in ("ok", "repaired"):
        call["result"] = random.choice(["result"] * 5 + ["failure"])
        call["ms"] = random.random() * 100
    print(json.dumps(call))
