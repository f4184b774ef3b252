"""Load tests for LLM servers, and their runs as pandas tables."""

from tallystick._reading import Run, load

__all__ = ["Run", "load"]
