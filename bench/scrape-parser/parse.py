"""Writes an exposition of about 1 MB in vLLM's form and times prometheus_client's parser on it."""
import pathlib
import re
import sys
import time

from prometheus_client.parser import text_string_to_metric_families


def exposition(recorded, engines):
    """The recorded exposition as a server of several engines would send it, families whole."""
    out, family = [], []

    def flush():
        for engine in range(engines):
            for line in family:
                if engine == 0 or 'engine="0"' in line:
                    out.append(line.replace('engine="0"', 'engine="%d"' % engine))
        family.clear()

    for line in recorded.splitlines():
        if line.startswith('#'):
            flush()
            out.append(line)
        else:
            family.append(line)
    flush()
    return '\n'.join(out) + '\n'


def later(body):
    """The next scrape: every third value has grown."""
    lines = body.splitlines()
    for i, line in enumerate(lines):
        if i % 3 == 0 and not line.startswith('#'):
            key, value = line.rsplit(' ', 1)
            lines[i] = key + ' ' + repr(float(value) + 1)
    return '\n'.join(lines) + '\n'


def main():
    recorded, folder, seconds = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), float(sys.argv[3])
    body = exposition(recorded.read_text(), 16)
    (folder / 'first.prom').write_text(body)
    (folder / 'second.prom').write_text(later(body))
    best, end = float('inf'), time.perf_counter() + seconds
    while time.perf_counter() < end:
        start = time.perf_counter()
        samples = sum(len(family.samples) for family in text_string_to_metric_families(body))
        best = min(best, time.perf_counter() - start)
    print('python prometheus_client            %7.1f MB/s   (%d samples)' % (len(body) / 1e6 / best, samples))


main()
