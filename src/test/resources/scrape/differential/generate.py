"""Writes cases.json.gz: expositions and what prometheus_client 0.26.0's parsers make of them.

Run beside the recorded expositions:  pip install prometheus_client==0.26.0 && python generate.py
The cases are pieces of the recorded expositions, whole and mutated, and written edge cases.
"""
import gzip
import json
import pathlib
import random

from prometheus_client.openmetrics.parser import text_string_to_metric_families as open_metrics
from prometheus_client.parser import text_string_to_metric_families as text

HERE = pathlib.Path(__file__).parent
RECORDED = ["metrics-after1.prom", "metrics-mp1.prom", "dynamo_worker_metrics.txt",
            "dynamo_frontend_metrics.txt", "dcgm_exporter_sample.txt"]
WRITTEN = [
    'm 1\n', 'm{} 1\n', 'm{a="b"}1\n', 'm{a="b",} 1\n', 'm { a = "b" , c="d" } 1\n', '\tm\t1\t\n',
    'm{a="}"} 1\n', 'm{a=",#={"} 1\n', 'm{a="\\\\\\"\\n\\x"} 1\n', 'm{a="ü€😀"} 1\n', 'm 1 1700000000000\n',
    'm 1 -1\n', 'm NaN\nn +Inf\no -Inf\np nan\nq inf\n', 'm 1e3\nn 1E-3\no .5\np 5.\n', 'm 0x10\n', 'm 1_000\n',
    'm\n', 'm \n', 'm{\n', 'm{a="b} 1\n', 'm{a=b} 1\n', 'm{a="b" c="d"} 1\n', '1m 1\n', 'm-x 1\n', 'm x\n',
    '# TYPE m counter\n# HELP m words\nm 1\n', 'm 1\n# TYPE m counter\nm{a="b"} 2\n', '#TYPE m counter\nm 1\n',
    '# TYPE "my.metric" gauge\n{"my.metric",foo="bar","dotted.label"="v"} 3\n', '{"m"} 1\n', '{a="b"} 1\n',
    'm{a="1",a="2"} 1\n', 'm 1\r\nn 2\r\n', '\n\nm 1\n\n', 'm 1 # {a="b"} 0.5 1.2\n', 'm 1 2 3\n', '# EOF\nm 1\n',
    'm 9223372036854775794\n', 'm 0.1\nn 1.7952196241209698e+09\n', 'm 123456789012345678901234567890\n',
]
WRITTEN_OPEN = [
    '# EOF\n', 'm 1\n', '# TYPE m counter\nm_total 1\n# EOF\n', '# TYPE m counter\nm 1\n# EOF\n',
    '# TYPE m counter\nm_total 1 1700000000.5 # {t="x"} 0.5 1700000000.1\nm_created 1\n# EOF\n',
    '# TYPE m gauge\n# TYPE m gauge\n# EOF\n', 'm 1\n# EOF\nn 2\n', 'm  1\n# EOF\n', 'm 1\n\n# EOF\n',
    '# TYPE m histogram\nm_bucket{le="1.0"} 1\nm_bucket{le="+Inf"} 2\nm_count 2\nm_sum 3\n# EOF\n',
    '# TYPE m info\nm_info{v="1"} 1\n# EOF\n', '# TYPE m unknown\nm 1\n# EOF', '# TYPE m thing\nm 1\n# EOF\n',
]


def verdict(parser, body):
    try:
        return [[s.name, s.labels, repr(float(s.value))] for f in parser(body) for s in f.samples]
    except Exception:
        return None


def mutate(lines, rng):
    lines = list(lines)
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(lines))
        line = lines[at]
        col = rng.randrange(len(line) + 1)
        kind = rng.randrange(7)
        if kind == 0:
            del lines[at]
        elif kind == 1:
            lines.insert(at, lines[rng.randrange(len(lines))])
        elif kind == 2:
            lines[at] = line[:col] + rng.choice('{}",= \\#_1aN\t.') + line[col:]
        elif kind == 3:
            lines[at] = line[:col] + line[col + 1:]
        elif kind == 4:
            lines[at] = line[:col]
        elif kind == 5:
            lines[at] = line.rsplit(' ', 1)[0] + ' ' + rng.choice(['NaN', '-Inf', '1e400', '5e-324', 'x', '1 2', ''])
        else:
            lines[at] = line.replace('counter', rng.choice(['gauge', 'histogram', 'untyped', 'thing']))
        if not lines:
            return ['m 1']
    return lines


def cases():
    rng = random.Random(20261121)
    for body in WRITTEN:
        yield 'text', body
    for body in WRITTEN_OPEN:
        yield 'openmetrics', body
    for name in RECORDED:
        lines = (HERE.parent / name).read_text().splitlines()
        for _ in range(12):
            start = rng.randrange(max(1, len(lines) - 25))
            yield 'text', '\n'.join(lines[start:start + 25]) + '\n'
        for _ in range(90):
            start = rng.randrange(max(1, len(lines) - 10))
            yield 'text', '\n'.join(mutate(lines[start:start + 10], rng)) + '\n'
    yield 'openmetrics', (HERE.parent / 'metrics-openmetrics.txt').read_text()


if __name__ == '__main__':
    parsers = {'text': text, 'openmetrics': open_metrics}
    out = [{'format': f, 'body': b, 'samples': verdict(parsers[f], b)} for f, b in cases()]
    data = json.dumps(out, ensure_ascii=False).encode()
    (HERE / 'cases.json.gz').write_bytes(gzip.compress(data, mtime=0))
    print(len(out), 'cases,', sum(c['samples'] is None for c in out), 'refused by prometheus_client')
