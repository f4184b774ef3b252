"""Starts the launcher that came along, on the Java that came along."""

import os
import sys

from tallystick._launching import command, environment


def main():
    """The launcher takes the place of this process, so signals and the exit code are its own."""
    try:
        os.execvpe("bash", command(sys.argv[1:]), environment())
    except FileNotFoundError:
        sys.exit("tally needs bash and finds none on the PATH.")


if __name__ == "__main__":
    main()
