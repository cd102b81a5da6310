"""Compares requests for typed answers of the official SDKs with ours, for the same types.

In: answers.json, which a test writes. Each SDK sends its request to a server on this machine, which answers with an error. Out: the
differences. The exit code is 1 if there is one without a reason, or a reason without a difference.
"""

import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any, Literal, Optional

import anthropic
import openai
from google import genai
from judge import lower, plain
from pydantic import BaseModel

REASONS = {
    ("anthropic", "choice"): "the SDK omits the type of an enum",
    ("gemini", "optional"): "the SDK sends the default of the type, a null",
}


class Required(BaseModel):
    city: str
    warm: bool


class Place(BaseModel):
    city: str


class Nested(BaseModel):
    place: Place
    others: list[Place]


class Choice(BaseModel):
    unit: Literal["C", "F"]
    degrees: float


class WithOptional(BaseModel):
    city: str
    note: Optional[str] = None


TYPES = {"choice": Choice, "nested": Nested, "optional": WithOptional, "required": Required}
BODIES: list[dict[str, Any]] = []


class Server(BaseHTTPRequestHandler):
    def do_POST(self) -> None:  # noqa: N802: the name that the library calls
        BODIES.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
        self.send_response(400)
        self.send_header("content-type", "application/json")
        self.end_headers()
        self.wfile.write(b'{"error": {"message": "only the request matters"}}')

    def log_message(self, *_: Any) -> None:
        pass


def sent(call: Any) -> dict[str, Any]:
    BODIES.clear()
    try:
        call()
    except Exception as error:  # noqa: BLE001: the server answers every request with an error
        if not BODIES:
            sys.exit(f"no request was sent: {error!r}")
    return BODIES[0]


def normal(schema: Any, definitions: dict[str, Any]) -> Any:
    """Without references, and with `null` in the list of types: two ways to write the same schema."""
    if isinstance(schema, list):
        return [normal(part, definitions) for part in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return normal(definitions[schema["$ref"].removeprefix("#/$defs/")], definitions)
    parts = {key: normal(part, definitions) for key, part in schema.items() if key != "$defs"}
    branches = parts.get("anyOf", [])
    if [list(branch) for branch in branches] == [["type"], ["type"]]:
        del parts["anyOf"]
        parts["type"] = [branch["type"] for branch in branches]
    return parts


def compared(request: dict[str, Any]) -> Any:
    """What is compared: everything but names, titles and descriptions."""
    text = plain(request)
    for path in (("response_format", "json_schema"), ("text", "format")):
        part = text
        for key in path:
            part = part.get(key, {})
        part.pop("name", None)
    definitions: dict[str, Any] = {}

    def collect(part: Any) -> None:
        if isinstance(part, dict):
            definitions.update(part.get("$defs", {}))
            for value in part.values():
                collect(value)

    collect(text)
    return normal(text, definitions)


def requests(url: str, kind: type[BaseModel]) -> dict[str, dict[str, Any]]:
    messages = [{"role": "user", "content": "Which?"}]
    of_openai = openai.OpenAI(api_key="k", base_url=url, max_retries=0)
    of_anthropic = anthropic.Anthropic(api_key="k", base_url=url, max_retries=0)
    of_google = genai.Client(api_key="k", http_options={"base_url": url})
    json_type = {"response_mime_type": "application/json"}

    def ask_google(**config: Any) -> Any:
        return of_google.models.generate_content(model="gemini-2.5-flash", contents="Which?", config=json_type | config)

    bodies = {
        "openai": sent(lambda: of_openai.chat.completions.parse(model="m", messages=messages, response_format=kind)),
        "openai-responses": sent(lambda: of_openai.responses.parse(model="m", input="Which?", text_format=kind)),
        "anthropic": sent(lambda: of_anthropic.messages.parse(model="m", max_tokens=9, messages=messages, output_format=kind)),
        "gemini": sent(lambda: ask_google(response_json_schema=kind.model_json_schema())),
        "gemini-schema": sent(lambda: ask_google(response_schema=kind)),
    }
    bodies["gemini-schema"] = lower(bodies["gemini-schema"])
    return bodies


def main() -> None:
    server = HTTPServer(("127.0.0.1", 0), Server)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    ours = json.loads((Path(__file__).parent / "answers.json").read_text())
    differences, same = set(), 0
    for name, kind in TYPES.items():
        for dialect, body in requests(f"http://127.0.0.1:{server.server_port}", kind).items():
            mine = ours[name][dialect]
            theirs = {key: body[key] for key in mine if key in body}
            if compared(theirs) == compared(mine):
                same += 1
            else:
                differences.add((dialect, name))
                if (dialect, name) not in REASONS:
                    print(f"{dialect}, {name}:\n- {json.dumps(compared(theirs))}\n+ {json.dumps(compared(mine))}")
    print(f"requests for answers: {same} of {same + len(differences)} are the same")
    unneeded = sorted(set(REASONS) - differences)
    if differences - set(REASONS) or unneeded:
        sys.exit(f"reasons without a difference: {unneeded}" if unneeded else "differences without a reason")


if __name__ == "__main__":
    main()
