"""A recorded run as pandas tables."""

import json
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tallystick._launching import command, environment


@dataclass(frozen=True)
class Run:
    """A run's tables. Times are seconds after its origin; what is unknown is missing, never 0."""

    #: One row for each request.
    requests: Any
    #: One row for each sample of the engine's metrics.
    scrapes: Any
    #: One row, with the names of analysis.json joined by dots: pandas.concat lays runs together.
    analysis: Any


def load(folder):
    """Reads a run's folder, for example reports/quickstart-20260101T000000."""
    try:
        import pandas
    except ImportError as missing:
        raise ImportError("tallystick.load needs pandas: pip install pandas") from missing
    with tempfile.TemporaryDirectory() as tables:
        asked = ["export", str(folder), "--format", "csv", "--verbatim", "--out", tables]
        ended = subprocess.run(command(asked), env=environment(), capture_output=True, text=True)
        if ended.returncode != 0:
            raise ValueError(ended.stderr.strip())
        requests, scrapes = (
            # An empty cell is what is unknown; a text such as "NA" is a text.
            pandas.read_csv(
                Path(tables) / name, keep_default_na=False, na_values=["", "NaN"], low_memory=False
            )
            for name in ("requests.csv", "scrapes.csv")
        )
    analysis = json.loads((Path(folder) / "analysis.json").read_text("utf-8"))
    return Run(requests, scrapes, pandas.json_normalize(analysis))
