"""The command line. Exit codes: 0 done, 1 some inputs failed (named), 2 wrong use, 130 interrupted."""


def main() -> None:
    """Runs the command. What it needs is imported here, so that Ctrl-C ends it cleanly from the start."""
    try:
        from longleaf.app.cli.command import main as run

        run()
    except KeyboardInterrupt:
        import os

        os.write(2, b"interrupted\n")
        os._exit(130)


__all__ = ["main"]
