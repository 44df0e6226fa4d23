"""Requests as a patient client sends them."""

import http.client
import json
import time
import urllib.error
import urllib.request

# What a server that dies makes of a request, at whatever moment it dies.
LOST = (OSError, http.client.HTTPException)


def send(campus, method: str, service: str, path: str, body=None, seconds: float = 0, token=None):
    """The status and the JSON of the first answer below 500; None when none came within the time.

    One attempt is always made. Further ones send the same: only what may come twice has seconds.
    Without a token an administrator's is sent.
    """
    token = token or campus.environment["WHEREABOUTS_TOKEN"]
    deadline = time.monotonic() + seconds
    while True:
        request = urllib.request.Request(
            campus.url(service) + path, None if body is None else json.dumps(body).encode(),
            method=method, headers={
                "content-type": "application/json",
                "authorization": f"Bearer {token}"})
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                return answer.status, json.loads(answer.read() or b"null")
        except urllib.error.HTTPError as error:
            if error.code < 500:
                return error.code, json.loads(error.read() or b"null")
        except LOST:
            pass
        if time.monotonic() > deadline:
            return None
        time.sleep(0.3)
