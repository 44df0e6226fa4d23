#!/usr/bin/env python3
"""Prints deploy/Caddyfile as it should be; `describe.py` writes it."""

import describe

describe.main(["caddyfile"])
