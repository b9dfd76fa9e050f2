"""A headless Chromium, driven over its DevTools protocol: JSON messages through a pipe, each ended by a zero byte."""

import base64
import fcntl
import json
import os
import pathlib
import select
import shutil
import signal
import subprocess
import tempfile
import time


def usable(program):
    """Whether it starts, and is no snap (Ubuntu): that one does not see the folders of the tests."""
    done = subprocess.run([program, "--version"], check=False, capture_output=True, text=True)
    return done.returncode == 0 and "snap" not in done.stdout


PROGRAM = next(filter(usable, filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome")))), None)
PATIENCE = 240  # seconds for anything: the machine may be busy


class Page:
    """One tab. What its console said, what went wrong in it and what it asked the network for is kept."""

    def __init__(self, browser, width=1200, height=900, dark=False, scripts=True):
        self.browser = browser
        self.said = []
        self.requests = []
        self.loaded = False
        self.session = browser.idle.pop() if browser.idle else browser.tab()
        browser.pages[self.session] = self
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.call("Page.bringToFront")
        self.media(dark=dark)
        self.size(width, height)
        self.call("Emulation.setScriptExecutionDisabled", value=not scripts)

    def call(self, method, **words):
        return self.browser.call(method, session=self.session, **words)

    def hear(self, method, words):
        if method == "Runtime.consoleAPICalled":
            self.said.append(str([item.get("value", item.get("description")) for item in words["args"]]))
        elif method == "Runtime.exceptionThrown":
            details = words["exceptionDetails"]
            self.said.append(details["text"] + " " + details.get("exception", {}).get("description", ""))
        elif method == "Log.entryAdded":
            self.said.append(words["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(words["request"]["url"])
        elif method == "Page.loadEventFired":
            self.loaded = True

    def size(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def media(self, dark=False, kind=""):
        self.call("Emulation.setEmulatedMedia", media=kind,
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
                            {"name": "prefers-reduced-motion", "value": "reduce"}])

    def open(self, path, fragment=""):
        """Opens a file and waits for it. Returns the seconds that it took."""
        return self.go(pathlib.Path(path).resolve().as_uri() + fragment)

    def go(self, url):
        self.loaded = False
        started = time.monotonic()
        self.call("Page.navigate", url=url)
        self.browser.wait(lambda: self.loaded, f"{url} to load")
        return time.monotonic() - started

    def run(self, script):
        """The value of an expression; of a promise, what it comes to."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True, userGesture=True)
        if "exceptionDetails" in answer:
            raise AssertionError(f"{script}: {answer['exceptionDetails'].get('exception', {}).get('description')}")
        return answer["result"].get("value")

    def wait(self, script):
        """Waits until an expression is true."""
        self.browser.wait(lambda: self.run(script), script)

    def key(self, key, text=""):
        codes = {"Enter": 13, " ": 32, "Tab": 9, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Home": 36, "End": 35}
        words = {"key": key, "code": "Space" if key == " " else key, "windowsVirtualKeyCode": codes.get(key, 0)}
        text = {"Enter": "\r", " ": " "}.get(key, text)
        self.call("Input.dispatchKeyEvent", type="keyDown", text=text, **words)
        if key == " ":  # a button is pressed when it comes up again
            self.call("Input.dispatchKeyEvent", type="keyUp", **words)

    def picture(self, path, whole=False):
        answer = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        pathlib.Path(path).write_bytes(base64.b64decode(answer["data"]))

    def paper(self):
        return base64.b64decode(self.call("Page.printToPDF", printBackground=True)["data"])

    def close(self):
        """The next page takes its tab: a new one costs as much as what is shown in it."""
        self.go("about:blank")
        self.browser.idle.append(self.session)
        del self.browser.pages[self.session]


class Chromium:
    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.pages = {}
        self.idle = []
        self.answers = {}
        self.number = 0
        self.rest = b""
        # Chromium reads from 3 and writes to 4, so that none of these pipes' ends may lie there before.
        ends = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for pair in (os.pipe(), os.pipe()) for end in pair]
        reads, self.writes, self.reads, writes = ends

        def place():
            os.dup2(reads, 3)
            os.dup2(writes, 4)

        self.process = subprocess.Popen(
            [PROGRAM, "--headless=new", "--no-sandbox", "--remote-debugging-pipe", "--disable-gpu", "--disable-dev-shm-usage",
             "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
             "--mute-audio", "--renderer-process-limit=1", "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup", f"--user-data-dir={self.folder.name}", "about:blank"],
            start_new_session=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, pass_fds=(3, 4), preexec_fn=place,
            env={**os.environ, "HOME": self.folder.name, "TMPDIR": self.folder.name})
        os.close(reads)
        os.close(writes)

    def tab(self):
        """The session of a new one."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        return self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]

    def listen(self, seconds):
        """Takes in what has been said, waiting for it no longer than so."""
        if not select.select([self.reads], [], [], seconds)[0]:
            return
        said = os.read(self.reads, 1 << 20)
        if not said:
            raise AssertionError("Chromium has ended")
        *messages, self.rest = (self.rest + said).split(b"\0")
        for message in messages:
            message = json.loads(message)
            if "id" in message:
                self.answers[message["id"]] = message
            elif message.get("sessionId") in self.pages:
                self.pages[message["sessionId"]].hear(message["method"], message["params"])

    def wait(self, there, what):
        """Until `there()` is true."""
        end = time.monotonic() + PATIENCE
        while not there():
            self.listen(0.02)
            if time.monotonic() > end:
                raise AssertionError(f"waited {PATIENCE} s for {what}")

    def call(self, method, session=None, **words):
        self.number += 1
        number = self.number
        message = {"id": number, "method": method, "params": words}
        if session:
            message["sessionId"] = session
        text = json.dumps(message).encode() + b"\0"
        while text:
            text = text[os.write(self.writes, text):]
        self.wait(lambda: number in self.answers, method)
        answer = self.answers.pop(number)
        if "error" in answer:
            raise AssertionError(f"{method}: {answer['error']}")
        return answer["result"]

    def close(self):
        """Ends all of its processes, which may still write into the folder when the first has ended."""
        self.process.terminate()
        self.process.wait()
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        os.close(self.writes)
        os.close(self.reads)
        self.folder.cleanup()
