"""The page in a browser of its own, driven as a player would."""

from __future__ import annotations

import base64
import json
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import pytest
from server_tools import Server

pytest.importorskip("selenium", reason="needs pip install 'equity[test-web]'")

from selenium import webdriver
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

__all__ = ["SPOT", "Keys", "Page", "address", "open_page"]

#: Where Debian and others have the browser, and what drives it.
BROWSER = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
DRIVER = shutil.which("chromedriver")
#: A browser without a screen that asks for nothing but the page.
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    # Memory that containers share is small.
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
#: Seconds that the page may take to show something.
PATIENCE = 60.0
#: Two hands on a flop: player 1 has 511/820.
SPOT = "?g=plo4&p=AhAsKhKs&p=9c8c7d6d&b=Th7h2c"


def address(**fields: Any) -> str:
    """An address of a question; a list is a field that occurs more than once."""
    pairs = [
        f"{name.replace('__', '.')}={quote(str(value))}"
        for name, values in fields.items()
        for value in (values if isinstance(values, list) else [values])
    ]
    return "?" + "&".join(pairs)


class Page:
    """The page of a server."""

    def __init__(self, link: str, folder: Path) -> None:
        options = webdriver.ChromeOptions()
        options.binary_location = BROWSER or ""
        for flag in (*FLAGS, f"--user-data-dir={folder}"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        service = webdriver.ChromeService(executable_path=DRIVER)
        self.driver: Any = webdriver.Chrome(options=options, service=service)
        self.link = link
        self.size(1280, 900)

    def size(self, width: int, height: int) -> None:
        """Set the size of the window."""
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def prefer(self, **features: str) -> None:
        """Set what the system prefers, such as ``prefers_color_scheme="dark"``."""
        given = [
            {"name": name.replace("_", "-"), "value": value} for name, value in features.items()
        ]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": given})

    def open(self, search: str = "") -> None:
        """Open an address, and wait for its answer."""
        self.driver.get(self.link + search)
        self.wait(lambda: self.all("[role=tab]"))
        self.settle()

    def all(self, selector: str) -> list[Any]:
        """The elements of a selector."""
        found: list[Any] = self.driver.find_elements("css selector", selector)
        return found

    def one(self, selector: str) -> Any:
        """The first element of a selector, once it is there."""
        return self.wait(lambda: self.all(selector))[0]

    def run(self, script: str, *given: Any) -> Any:
        """The value of a script."""
        return self.driver.execute_script(script, *given)

    def call(self, module: str, script: str, *given: Any) -> Any:
        """The value of a script to which the exports of a module are ``it``."""
        found = self.driver.execute_async_script(
            "const [given, done] = [[...arguments].slice(0, -1), [...arguments].at(-1)];"
            f"import('/static/{module}').then(async (it) => done([await ({script})]))"
            ".catch((error) => done(String(error)));",
            *given,
        )
        assert isinstance(found, list), found
        return found[0]

    def text(self, selector: str) -> str:
        """The text of an element."""
        return str(self.one(selector).text)

    def texts(self, selector: str) -> list[str]:
        """The texts of elements, at one moment."""
        script = "return [...document.querySelectorAll(arguments[0])].map((one) => one.innerText)"
        return list(self.run(script, selector))

    def value(self, selector: str) -> str:
        """What an input holds."""
        return str(self.one(selector).get_property("value"))

    def click(self, selector: str) -> None:
        """Click an element."""
        self.one(selector).click()

    def type(self, selector: str, text: str) -> None:
        """Type a text into an input in place of what is there."""
        field = self.one(selector)
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys(Keys.NULL, text or Keys.BACKSPACE)

    def keys(self, *keys: str) -> None:
        """Press keys where the focus is."""
        for key in keys:
            self.driver.switch_to.active_element.send_keys(key)

    def wait(self, holds: Callable[[], Any]) -> Any:
        """The first true value of a condition."""
        return WebDriverWait(self.driver, PATIENCE, 0.05).until(lambda _: holds())

    def settle(self) -> None:
        """Wait until nothing is being counted."""
        self.wait(lambda: self.run("return document.getElementById('answer').ariaBusy") == "false")

    def shows(self, *texts: str) -> None:
        """Wait until the answer has some texts."""

        def has_all() -> bool:
            shown = self.run("return document.getElementById('answer').innerText")
            return all(text in shown for text in texts)

        self.wait(has_all)

    def equities(self) -> list[str]:
        """The equities of the players, once all is counted."""
        self.settle()
        return [text.split("%")[0].strip() for text in self.texts("#answer .players .equity")]

    @property
    def search(self) -> str:
        """The question in the address."""
        return str(urlsplit(self.driver.current_url).query)

    def troubles(self) -> list[str]:
        """Errors on the console, and requests that went elsewhere, since the last time."""
        found = [entry["message"] for entry in self.driver.get_log("browser")]
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                url = message["params"]["request"]["url"]
                if not url.startswith((self.link, "data:", "blob:", "chrome:")):
                    found.append(f"a request of {url}")
        return found

    def picture(self) -> bytes:
        """What the window shows, as a PNG."""
        return base64.b64decode(self.driver.get_screenshot_as_base64())


@contextmanager
def open_page() -> Iterator[Page]:
    """A server, and its page in a browser; skips the test where there is no browser."""
    if BROWSER is None or DRIVER is None:
        pytest.skip("no Chromium is installed, or no chromedriver")
    with (
        Server() as server,
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
    ):
        page = Page(server.link, Path(folder))
        try:
            yield page
        finally:
            page.driver.quit()
