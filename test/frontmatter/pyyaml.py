"""Reads YAML texts with PyYAML: one JSON string a line in, one JSON object a line out ("value" or "error")."""

import json
import math
import sys

import yaml


def to_json(value):
    if isinstance(value, dict):
        return {(key if isinstance(key, str) else "!" + repr(key)): to_json(item) for key, item in value.items()}
    if isinstance(value, list):
        return [to_json(item) for item in value]
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    return {"!" + type(value).__name__: str(value)}


for line in sys.stdin:
    try:
        answer = {"value": to_json(yaml.safe_load(json.loads(line)))}
    except Exception as error:
        answer = {"error": type(error).__name__ + ": " + str(error)}
    print(json.dumps(answer), flush=True)
