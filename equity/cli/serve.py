"""``equity serve``: the page in a browser, an API over HTTP, and questions over stdin."""

from __future__ import annotations

import click

from equity.cli.options import PART, WHOLE, log_to_stderr
from equity.errors import MethodError

__all__ = ["serve"]

MOST_PORT = 65_535


@click.command()
@click.option("--port", type=WHOLE, default=8765, show_default=True, help="0 picks a free one.")
@click.option(
    "--open/--no-open", "opens", default=True, help="Open the page in the browser, or do not."
)
@click.option(
    "--host",
    metavar="ADDRESS",
    help="Listen at this address for other machines too, who then need the token.  "
    "[default: 127.0.0.1, this machine alone]",
)
@click.option("--token", metavar="TEXT", help="Token of --host.  [default: one that is made]")
@click.option(
    "--time-limit",
    type=PART,
    default=60.0,
    show_default=True,
    metavar="SECONDS",
    help="A question that takes longer is given up.",
)
@click.option(
    "--memory-limit",
    type=PART,
    default=4.0,
    show_default=True,
    metavar="GIB",
    help="A question that takes more is given up.",
)
@click.option(
    "--stdio", is_flag=True, help="Answer questions on stdin, one JSON object a line, on stdout."
)
@click.option("--mcp", is_flag=True, help="Be an MCP server on stdin and stdout, for assistants.")
@click.option("--worker", is_flag=True, hidden=True)
def serve(
    port: int,
    opens: bool,
    host: str | None,
    token: str | None,
    time_limit: float,
    memory_limit: float,
    stdio: bool,
    mcp: bool,
    worker: bool,
) -> None:
    """Serve the page and the API to this machine, until Ctrl-C.

    Every command is a path of the API that takes JSON.  With --stdio or --mcp nothing is
    served over the network.

    \b
    equity serve
    equity serve --port 9000 --no-open
    curl -H 'Content-Type: application/json' http://127.0.0.1:8765/api/odds \\
        -d '{"players": ["AhAsKhKs", "9c8c7d6d"]}'
    echo '{"operation": "odds", "arguments": {"players": ["AA", "KK"]}}' | equity serve --stdio
    """
    for name, value in (("time", time_limit), ("memory", memory_limit)):
        if not 0 < value < float("inf"):
            raise MethodError(f"{value:g} is no limit", place=f"--{name}-limit", hint="above 0")
    if not 0 <= port <= MOST_PORT:
        raise MethodError(f"{port} is no port", place="--port", hint=f"0 to {MOST_PORT}")
    if stdio or mcp:
        if stdio and mcp:
            raise MethodError("it does not go with --mcp", place="--stdio")
        from equity.server.stdio import limit_memory, serve_stdio

        limit_memory(memory_limit)
        log_to_stderr()
        if mcp:
            from equity.server.mcp import serve_mcp

            serve_mcp()
        else:
            serve_stdio(is_worker=worker)
        return
    from equity.server.serving import Settings, serve_http

    log_to_stderr()
    serve_http(Settings(host, port, token, opens, time_limit, memory_limit))
