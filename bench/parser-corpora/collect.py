"""Runs prometheus_client's own parser tests and notes each exposition they parse, with what came out.

collect.py OUT FOLDER_OF_TESTS...   appends one JSON object a line to OUT.
"""
import base64
import importlib.util
import json
import os
import sys
import unittest

import prometheus_client.openmetrics.parser as openmetrics
import prometheus_client.parser as text

out = open(sys.argv[1], "a")
seen = set()


def noting(original, form):
    def parse(body):
        refused, samples = "", []
        try:
            families = list(original(body))
            for family in families:
                for sample in family.samples:
                    row = [repr(float(sample.value)), "__name__", sample.name]
                    for label in sample.labels.items():
                        row += label
                    samples.append(row)
        except Exception as e:  # the tests expect many
            refused = f"{type(e).__name__}: {e}"
        if (form, body) not in seen:
            seen.add((form, body))
            json.dump({"name": f"prometheus_client {len(seen)}", "format": form,
                       "body": base64.b64encode(body.encode()).decode(),
                       "refused": refused, "samples": samples}, out)
            out.write("\n")
        return original(body)
    return parse


text.text_string_to_metric_families = noting(
    text.text_string_to_metric_families, "text/plain; version=0.0.4")
openmetrics.text_string_to_metric_families = noting(
    openmetrics.text_string_to_metric_families, "application/openmetrics-text; version=1.0.0")
for folder in sys.argv[2:]:
    for name in ["test_parser.py", "openmetrics/test_parser.py"]:
        file = os.path.join(folder, name)
        if os.path.exists(file):
            spec = importlib.util.spec_from_file_location("t" + str(abs(hash(file))), file)
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            suite = unittest.defaultTestLoader.loadTestsFromModule(module)
            unittest.TextTestRunner(stream=open(os.devnull, "w")).run(suite)
print(len(seen), "expositions from prometheus_client's tests")
