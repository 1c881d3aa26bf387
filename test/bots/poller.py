"""A careful bot over HTTP: it polls, and reads after everything whose outcome it was not told.

Named on its command line, it has one flaw.
"""

import base64
import json
import os
import sys
import time
import urllib.error
import urllib.request

FLAW = sys.argv[1] if len(sys.argv) > 1 else "none"
URL = os.environ["TRADING_RPC_SIM_HTTP_URL"]
KEY = (os.environ["TRADING_RPC_SIM_CLIENT_ID"], os.environ["TRADING_RPC_SIM_CLIENT_SECRET"])
INSTRUMENT = "BTC-PERPETUAL"
PAUSE_S = 1.1
# Proxies of the environment are for other hosts.
OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class Refused(Exception):
    """An error response."""

    def __init__(self, error):
        super().__init__(f"{error['code']} {error['message']}")
        self.code = error["code"]


class Unknown(Exception):
    """There is no response that can be read: the call may have been carried out."""


def post(method, params, authorization=None):
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
    headers = {"content-type": "application/json"}
    if authorization is not None:
        headers["authorization"] = authorization
    request = urllib.request.Request(URL, data=body, headers=headers)
    try:
        with OPENER.open(request, timeout=0.8) as response:
            message = json.loads(response.read())
    except urllib.error.HTTPError as error:
        try:
            message = json.loads(error.read())
        except ValueError as unreadable:
            raise Unknown(method) from unreadable
    except (OSError, ValueError) as error:
        raise Unknown(method) from error
    if "error" in message:
        raise Refused(message["error"])
    return message["result"]


def read(method, params, authorization=None):
    while True:
        try:
            return post(method, params, authorization)
        except Refused as error:
            if FLAW == "hammers" and error.code == 10028:
                continue
            if error.code in (13009, 13010) and authorization is not None and FLAW != "keeps-token":
                authorization = sign_in()
            time.sleep(PAUSE_S)
        except Unknown:
            time.sleep(PAUSE_S)


def sign_in():
    params = {"grant_type": "client_credentials", "client_id": KEY[0], "client_secret": KEY[1]}
    return "Bearer " + read("public/auth", params)["access_token"]


token = sign_in()


def call(method, params):
    """Makes a private call once, with a new token where the old one is refused."""
    global token
    if FLAW == "signs-in-always":
        token = sign_in()
    try:
        return post(method, params, token)
    except Refused as error:
        if FLAW == "hammers" and error.code == 10028:
            return post(method, params, token)
        if error.code in (13009, 13010) and FLAW != "keeps-token":
            token = sign_in()
        raise


def ask(method, params):
    """Reads until that succeeds; one with a flaw gives up after some attempts."""
    for _ in range(4 if FLAW == "keeps-token" else 1000):
        try:
            return call(method, params)
        except Refused as error:
            if FLAW == "hammers" and error.code == 10028:
                continue
            time.sleep(0.2 if FLAW == "keeps-token" else PAUSE_S)
        except Unknown:
            time.sleep(PAUSE_S)
    return []


def trade(number):
    ticker = read("public/ticker", {"instrument_name": INSTRUMENT})
    price = round(ticker["best_bid_price"] * 0.98)
    label = f"poller-{number}"
    order = {"instrument_name": INSTRUMENT, "amount": 100, "price": price, "label": label}
    try:
        call("private/buy", order)
    except (Refused, Unknown) as error:
        if FLAW == "buys-again" and isinstance(error, Unknown):
            try:
                call("private/buy", order)
            except (Refused, Unknown):
                pass
        time.sleep(0.1 if FLAW in ("keeps-token", "hammers") else PAUSE_S)
    for found in ask("private/get_open_orders_by_instrument", {"instrument_name": INSTRUMENT}):
        try:
            call("private/cancel", {"order_id": found["order_id"]})
        except Refused:
            pass
        except Unknown:
            ask("private/get_order_state", {"order_id": found["order_id"]})


for number in range(1, 7):
    trade(number)
ask("private/cancel_all", {})
