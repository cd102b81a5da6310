"""Reads the default answer to a rejected call as a client without a model can."""

import json
import re


def corrected(answer):
    """Returns the arguments of the call in the last line of the answer. A number takes the maximum of its placeholder, another value is "Ada"."""
    line = re.sub(r"<integer from \d+ to (\d+)>", r"\1", answer.splitlines()[-1])
    return json.loads(re.sub("<[^>]*>", '"Ada"', line))["arguments"]
