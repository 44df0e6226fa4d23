"""A mail server and a webhook that write down what they get, for the tests of alarms.

    receivers.py FOLDER [--certificate FILE --key FILE --user NAME --password TEXT]

Writes FOLDER/ports ("SMTP HTTP"), then a line of JSON for each message to FOLDER/mail and for each
request to FOLDER/webhook. With a certificate the mail server wants STARTTLS and the password. While
FOLDER/refuse exists, the webhook answers 500.
"""

import argparse
import asyncio
import email
import email.policy
import http.server
import json
import pathlib
import ssl
import threading

from aiosmtpd.smtp import SMTP, AuthResult


class Mailbox:
    def __init__(self, file):
        self.file = file

    async def handle_DATA(self, server, session, envelope):
        message = email.message_from_bytes(envelope.content, policy=email.policy.default)
        line = json.dumps({
            "from": envelope.mail_from, "to": envelope.rcpt_tos, "subject": message["subject"],
            "headers": {name.lower(): value for name, value in message.items()},
            "body": message.get_content(), "encrypted": session.ssl is not None,
            "user": getattr(session.auth_data, "login", b"").decode() if session.auth_data else None,
        })
        with open(self.file, "a") as file:
            file.write(line + "\n")
        return "250 OK"


def webhook(folder):
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["content-length"]))
            if (folder / "refuse").exists():
                self.send_response(500)
            else:
                with open(folder / "webhook", "a") as file:
                    file.write(json.dumps({
                        "path": self.path, "type": self.headers["content-type"],
                        "body": json.loads(body)}) + "\n")
                self.send_response(204)
            self.end_headers()

        def log_message(self, *_):
            pass

    return http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    for name in ("certificate", "key", "user", "password"):
        parser.add_argument(f"--{name}")
    options = parser.parse_args()

    def authenticate(server, session, envelope, mechanism, data):
        good = (data.login, data.password) == (options.user.encode(), options.password.encode())
        return AuthResult(success=good, auth_data=data if good else None)

    more = {}
    if options.certificate:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(options.certificate, options.key)
        more = dict(
            tls_context=context, require_starttls=True, authenticator=authenticate,
            auth_required=True, auth_require_tls=True)
    hook = webhook(options.folder)
    threading.Thread(target=hook.serve_forever, daemon=True).start()
    asyncio.run(serve_mail(options.folder, hook.server_address[1], more))


async def serve_mail(folder, hook_port, more):
    mailbox = Mailbox(folder / "mail")
    server = await asyncio.get_running_loop().create_server(
        lambda: SMTP(mailbox, **more), "127.0.0.1", 0)
    (folder / "ports.new").write_text(f"{server.sockets[0].getsockname()[1]} {hook_port}")
    (folder / "ports.new").rename(folder / "ports")
    await server.serve_forever()


if __name__ == "__main__":
    main()
