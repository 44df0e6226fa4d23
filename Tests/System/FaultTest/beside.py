"""Work beside the load."""

import threading


class Beside(threading.Thread):
    """Works until it is done or `ending` is set; what ends it before is kept in `failure`."""

    def __init__(self):
        super().__init__(daemon=True)
        self.ending = threading.Event()
        self.failure: str | None = None

    def work(self):
        raise NotImplementedError

    def run(self):
        try:
            self.work()
        except BaseException as error:
            self.failure = f"{type(self).__name__} ended by {error!r}"
