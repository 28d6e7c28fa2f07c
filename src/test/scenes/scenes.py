"""Plays each scene with the client for Python: PYTHONPATH=clients/python/src python3 scenes.py URL scenes.json"""

import json
import re
import sys
import time
import urllib.error
import urllib.request

from numera_client import Numera, NumeraDifference, NumeraProblem, NumeraUnavailable

url, scenes = sys.argv[1:]


class Clock:
    def __init__(self, oversleep_seconds):
        self.oversleep_seconds = oversleep_seconds
        self.slept = 0
        self.waits = []

    def monotonic(self):
        return time.monotonic() + self.slept

    def sleep(self, seconds):
        self.waits.append(seconds)
        self.slept += seconds + self.oversleep_seconds
        time.sleep(0.01)


def snake(name):
    return "from_" if name == "from" else re.sub("[A-Z]", lambda letter: "_" + letter[0].lower(), name)


class NoToken(Exception):
    pass


def token_from(server):
    try:
        with urllib.request.urlopen(server) as answer:
            return json.load(answer)["access_token"]
    except urllib.error.HTTPError as e:
        raise NoToken from e


def outcome(client, method, *parameters):
    # A definition is a parameter of its own.
    has_named = bool(parameters) and isinstance(parameters[-1], dict) and (method != "define" or len(parameters) == 3)
    named = parameters[-1] if has_named else {}
    positional = parameters[:-1] if has_named else parameters
    try:
        result = getattr(client(), snake(method))(*positional, **{snake(name): value for name, value in named.items()})
        return {"result": result if isinstance(result, dict) else list(result)}
    except NumeraProblem as e:
        retry_after = e.retry_after_seconds
        return {"problem": {"status": e.status, "kind": e.kind, "detail": e.detail, "retryAfterSeconds": retry_after, "fields": e.fields}}
    except NumeraUnavailable as e:
        return {"unavailable": {"attempts": e.attempts, "status": e.status, "message": str(e)}}
    except NumeraDifference as e:
        return {"difference": list(e.differences)}
    except NoToken:
        return {"noToken": True}
    except (TypeError, ValueError):
        return {"invalid": True}


with open(scenes, encoding="utf-8") as file:
    table = json.load(file)
for number, scene in enumerate(table):
    options = {snake(name): value for name, value in scene.get("options", {}).items()}
    address = url.replace("{scene}", str(number))
    address = options.pop("url", address)
    if "token_server" in options:
        options["token"] = lambda server=address + options.pop("token_server"): token_from(server)
    clock, retries = Clock(options.pop("oversleep_seconds", 0)), []
    options["on_retry"] = lambda retry, retries=retries: retries.append([retry.attempts, retry.status or retry.cause and "lost"])
    played = outcome(lambda: Numera(address, clock=clock, **options), *scene["call"])
    print(json.dumps({**played, "waits": clock.waits, "retries": retries}))
